#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares share/doc/errors.md with the messages in the sources: python3 test_errors.py"""

import re
import unittest
from pathlib import Path

from error_messages import GAP, WARNING, messages, messages_of_tokens, tokens_of

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "share/doc/errors.md"
# As src/openms/ErrorTranslation.cpp maps them, which ErrorTranslation_test checks with the numbers of OpenMS.
SECTIONS = {"NOT_FOUND": "1", "NOT_READABLE": "2", "DAMAGED_INPUT": "3", "INVALID_MODEL": "3", "CANNOT_WRITE": "5", "OPTION": "6",
            "INVALID_INPUT": "11", "INCOMPATIBLE_MODEL": "11", "INTERNAL": "12", "INTERNAL_ERROR": "12", "UNEXPECTED_RESULT": "13",
            WARNING: "Warnings"}
WRONG_CALLS = ("6", "11", "12")  # exit codes of what the tools never cause


def rows_of(text):
    """[(section, message, cause, remedy)]; the section is the number of the exit code, or the title."""
    rows, section = [], ""
    for line in text.splitlines():
        if line.startswith("## "):
            title = line.removeprefix("## ")
            code = re.match(r"Exit code (\d+)", title)
            section = code.group(1) if code else title
        elif line.startswith("| ") and not line.startswith("| message"):
            rows.append((section, *[cell.strip() for cell in line.removeprefix("|").removesuffix("|").split(" | ")]))
    return rows


def fits(template, message):
    """Whether a message of the page is one that a template of the sources can give."""
    return re.fullmatch(".+".join(re.escape(part) for part in template.split(GAP)), message, re.DOTALL) is not None


class TestErrors(unittest.TestCase):
    def setUp(self):
        self.rows = rows_of(PAGE.read_text(encoding="utf-8"))
        self.messages = messages(ROOT)

    def test_the_reader_of_sources_finds_messages(self):
        source = '''require(x > 0, ErrorKind::OPTION, "-x " + std::to_string(x) + " is \\"small\\"; " // why
                    "give " + (y ? "1" : "2") + ".");
                    throw Error(ErrorKind::INTERNAL, std::string("It is '") + letter + "'.");
                    reader_.fail("Bad " + name, "mend it", ErrorKind::INVALID_INPUT); reader.fail(what + " is bad", "mend it");
                    report.warnings.push_back(std::to_string(n) + " are left out."); fail(Tool::INTERNAL_ERROR, "unexpected");
                    OPENMS_LOG_WARN << "Warning: " << n << " are kept." << std::endl;'''
        self.assertEqual(list(messages_of_tokens(tokens_of(source))),
                         [("OPTION", '-x … is "small"; give ….'), ("INTERNAL", "It is '…'."),
                          ("INVALID_INPUT", "Bad … in line … of '…'; mend it."),
                          ("DAMAGED_INPUT", "… is bad in line … of '…'; mend it."), (WARNING, "… are left out."),
                          ("INTERNAL_ERROR", "unexpected"), (WARNING, "… are kept.")])

    def test_every_message_is_on_the_page(self):
        self.assertGreater(len(self.messages), 150)
        for message in self.messages:
            with self.subTest(file=message.file, message=message.template):
                sections = {row[0] for row in self.rows if fits(message.template, row[1])}
                section = SECTIONS[message.kind]
                self.assertTrue(section in sections or section in WRONG_CALLS and "Wrong calls" in sections, sections)

    def test_every_message_of_the_page_can_be_given(self):
        for section, message, *_ in self.rows:
            with self.subTest(message=message):
                self.assertTrue(any(fits(given.template, message) for given in self.messages
                                    if SECTIONS[given.kind] in (WRONG_CALLS if section == "Wrong calls" else (section,))), section)

    def test_every_row_is_complete(self):
        for section, *cells in self.rows:
            with self.subTest(row=cells):
                self.assertEqual(len(cells), 1 if section == "Wrong calls" else 3)
                self.assertTrue(all(cells))

    def test_no_message_is_listed_twice(self):
        listed = [row[:2] for row in self.rows]
        self.assertEqual(sorted(set(listed)), sorted(listed))


if __name__ == "__main__":
    unittest.main()
