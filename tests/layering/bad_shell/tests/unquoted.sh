#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
rm -rf $1/build
