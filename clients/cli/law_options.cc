#include "clients/cli/law_options.h"

#include <map>

#include "clients/cli/choice_option.h"

namespace talus::cli {
namespace {

const std::map<std::string, v1::ContactSolver> kContactSolvers = {
    {"alart_curnier", v1::CONTACT_SOLVER_ALART_CURNIER},
    {"accelerated_psor", v1::CONTACT_SOLVER_ACCELERATED_PSOR},
    {"psor", v1::CONTACT_SOLVER_PSOR},
    {"apgd", v1::CONTACT_SOLVER_APGD},
    {"newton", v1::CONTACT_SOLVER_NEWTON},
    {"block_pivoting", v1::CONTACT_SOLVER_BLOCK_PIVOTING},
    {"lemke", v1::CONTACT_SOLVER_LEMKE},
    {"fixed_point", v1::CONTACT_SOLVER_FIXED_POINT},
    {"extragradient", v1::CONTACT_SOLVER_EXTRAGRADIENT},
    {"nsgs", v1::CONTACT_SOLVER_NSGS},
    {"barzilai_borwein", v1::CONTACT_SOLVER_BARZILAI_BORWEIN},
    {"admm", v1::CONTACT_SOLVER_ADMM}};

}  // namespace

void AddLawOptions(CLI::App& command, LawOptions& options) {
  AddChoice(command, "--law", options.law, kContactLaws,
            "Contact law, by its default solver unless --solver is given [the scene's]");
  AddChoice(command, "--solver", options.solver, kContactSolvers, "Contact solver [the scene's]");
  command.add_option("--facets", options.facets,
                     "polygonal: directions of friction, even, 4 to 32 [the scene's]");
  AddPsorOptions(command, options.psor, "psor", "the scene's");
}

std::string ApplyLawOptions(const LawOptions& options, SceneFile& file) {
  if (options.law != v1::CONTACT_LAW_UNSPECIFIED) file.ApplyLaw(options.law);
  if (options.solver != v1::CONTACT_SOLVER_UNSPECIFIED) file.ApplySolver(options.solver);
  if (options.law != v1::CONTACT_LAW_UNSPECIFIED ||
      options.solver != v1::CONTACT_SOLVER_UNSPECIFIED) {
    file.DropForeignPsor();
  }
  if (options.psor.given()) {
    v1::PsorSettings psor;
    ApplyPsorOptions(options.psor, psor);
    file.ApplyPsor(psor);
  }
  if (!options.facets) return "";
  if (file.spec.settings().solver().law() != v1::CONTACT_LAW_POLYGONAL) {
    return "--facets must be left out unless the law is polygonal";
  }
  file.ApplyFacets(*options.facets);
  return "";
}

}  // namespace talus::cli
