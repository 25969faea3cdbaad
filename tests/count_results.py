#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the results in a JUnit file of CTest: count_results.py RESULTS.xml

The last line is 'N passed, N failed', with ', N skipped' when something was skipped; exit status 1 when something failed
or nothing ran. A test may be skipped only for one of REASONS, which it names in its output as 'SKIPPED: <reason>'; every
other skip, and every test that did not run, counts as failed.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

REASONS = ("no ../shared", "no GPU", "no percolator", "no network")


def skipReason(output):
    """What follows 'SKIPPED: ' in the output, or None."""
    found = re.search(r"SKIPPED: *([^\n]*)", output)
    return found.group(1).strip() if found else None


def verdict(case):
    """(passed | failed | skipped, remark) of one testcase element."""
    status = case.get("status", "")
    reason = skipReason(case.findtext("system-out") or "")
    did_not_run = case.find("skipped") is not None or status in ("notrun", "disabled")
    if case.find("failure") is not None or status == "fail":
        return "failed", "failed"
    if reason is not None:
        allowed = reason.startswith(REASONS)
        return ("skipped", reason) if allowed else ("failed", f"skipped without an allowed reason: {reason}")
    if did_not_run:
        message = case.find("skipped").get("message") if case.find("skipped") is not None else status
        return "failed", f"did not run and gave no reason ({message})"
    return "passed", ""


def main(path):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    try:
        cases = list(ElementTree.parse(path).iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        print(f"count_results.py: {path} cannot be read ({error}); CTest stopped before it wrote its results.")
        cases = []
    for case in cases:
        result, remark = verdict(case)
        counts[result] += 1
        if remark:
            print(f"{result.upper()}: {case.get('name')}: {remark}")
    if not cases:
        print("FAILED: no test ran.")
        counts["failed"] = 1
    print(f"{counts['passed']} passed, {counts['failed']} failed" +
          (f", {counts['skipped']} skipped" if counts["skipped"] else ""))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
