# SPDX-License-Identifier: BSD-3-Clause
"""The parameters in an INI file that a TOPP tool writes."""
import xml.etree.ElementTree as ElementTree


def parametersOf(ini):
    """{name with its sections: element} of an INI file: a path, or a tree that was read."""
    tree = ini if isinstance(ini, ElementTree.ElementTree) else ElementTree.parse(ini)

    def below(node, prefix):
        for child in node:
            if child.tag == "NODE":
                yield from below(child, prefix + child.get("name") + ":")
            else:
                yield prefix + child.get("name"), child

    return dict(below(tree.getroot().find("NODE/NODE"), ""))
