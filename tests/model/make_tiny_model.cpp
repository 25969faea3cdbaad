// SPDX-License-Identifier: BSD-3-Clause
// Writes a small model of random weights, for tests of what is around the network; its scores mean nothing.
#include "TinyModel.h"

#include <exception>
#include <iostream>
#include <string>

int main(int argc, char** argv)
{
  if (argc != 2 && argc != 3)
  {
    std::cerr << "Usage: make_tiny_model <file.safetensors> [<seed>]\n";
    return 1;
  }
  try
  {
    psmformer::test::saveTinyModel(argv[1], argc == 3 ? std::stoull(argv[2]) : 1);
  }
  catch (const std::exception& error)
  {
    std::cerr << "make_tiny_model: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
