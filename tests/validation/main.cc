// Runs every validation case, prints the table, writes JSON when asked, and fails when a row fails.
#include <cstdio>
#include <cstring>
#include <fstream>

#include "tests/validation/cases.h"

int main(int argc, char** argv) {
  using namespace talus::validation;
  const char* json_file = nullptr;
  if (argc == 3 && std::strcmp(argv[1], "--json") == 0) {
    json_file = argv[2];
  } else if (argc != 1) {
    std::fprintf(stderr, "usage: %s [--json FILE]\n", argv[0]);
    return 2;
  }
  ResultSheet sheet;
  AddRollingDisk(sheet);
  AddSphereOnPlane(sheet);
  AddHeadings(sheet);
  AddSlopes(sheet);
  AddSpinning(sheet);
  AddFreeRotation(sheet);
  AddRestitution(sheet);
  AddLawArtefacts(sheet);
  AddRestingStack(sheet);
  AddGuideway(sheet);
  AddPiles(sheet);
  AddWheel(sheet);
  AddTroughFaces(sheet);
  AddTwoPointContacts(sheet);
  std::fputs(sheet.ToTable().c_str(), stdout);
  std::printf("%zu claims, %d failed\n", sheet.results().size(), sheet.failure_count());
  if (json_file != nullptr) {
    std::ofstream file(json_file);
    file << sheet.ToJson();
    file.close();
    if (!file) {
      std::fprintf(stderr, "%s: cannot write\n", json_file);
      return 2;
    }
  }
  return sheet.failure_count() == 0 ? 0 : 1;
}
