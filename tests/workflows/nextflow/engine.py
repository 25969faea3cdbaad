# SPDX-License-Identifier: BSD-3-Clause
"""Nextflow itself, as its tests run it: without a network, with nothing of the user's.

NEXTFLOW_JARS names a folder for the engine, which Maven gets from Maven Central when it is not there.
"""

import csv
import os
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
PIPELINE = HERE.parents[2] / "workflows/nextflow"
JARS = Path(os.environ.get("NEXTFLOW_JARS", "nextflow"))
# Packages of Java that the engine looks into.
OPENED = ("java.lang", "java.io", "java.net", "java.nio", "java.nio.file.spi", "java.util", "java.util.concurrent.atomic",
          "java.util.concurrent.locks", "java.util.regex", "jdk.internal.misc", "jdk.internal.vm", "sun.nio.ch", "sun.nio.fs",
          "sun.net.www.protocol.file", "sun.net.www.protocol.http", "sun.net.www.protocol.https", "sun.net.www.protocol.ftp")


def getEngine():
    """Whether the engine is there or could be had."""
    if not any(JARS.glob("nextflow-*.jar")):
        subprocess.run(["mvn", "-B", "-q", "-f", str(HERE / "pom.xml"), "dependency:copy-dependencies", f"-DoutputDirectory={JARS}"],
                       check=False, stdin=subprocess.DEVNULL)
    return any(JARS.glob("nextflow-*.jar"))


def callNextflow(folder, home, *words, variables=()):
    """Calls Nextflow in a folder; home is where the engine keeps its own files, variables go into its environment."""
    environment = os.environ | {"NXF_OFFLINE": "true", "NXF_HOME": str(home), "NXF_PLUGINS_DEFAULT": "false"} | dict(variables)
    command = ["java", "-Xmx1g", *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED), "-cp", f"{JARS}/*",
               "nextflow.cli.Launcher", *map(str, words)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def runNextflow(folder, home, *options, pipeline=PIPELINE, variables=()):
    """Runs a pipeline in a folder."""
    return callNextflow(folder, home, "run", pipeline, "-ansi-log", "false", *options, variables=variables)


def readTrace(path):
    """The tasks of a run, as Nextflow lists them with -with-trace."""
    with path.open() as lines:
        return list(csv.DictReader(lines, delimiter="\t"))
