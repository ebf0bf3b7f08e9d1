// All validation cases, one file a subject. Each states where its numbers come from and why its
// tolerance is what it is.
#pragma once

#include "tests/validation/result_sheet.h"

namespace talus::validation {

void AddRollingDisk(ResultSheet& sheet);       // [TA] §6.1
void AddSphereOnPlane(ResultSheet& sheet);     // [AB] §6.1, Fig. 3
void AddHeadings(ResultSheet& sheet);          // isotropy of rolling and sliding
void AddSlopes(ResultSheet& sheet);            // tan α = μ, tan α = ρ/R
void AddSpinning(ResultSheet& sheet);          // spin-down by σ
void AddFreeRotation(ResultSheet& sheet);      // gyroscopic term
void AddRestitution(ResultSheet& sheet);       // Newton impacts
void AddLawArtefacts(ResultSheet& sheet);      // CCP lift, NCP gap
void AddRestingStack(ResultSheet& sheet);      // weight = Σ contact forces
void AddGuideway(ResultSheet& sheet);          // [TA] §6.2
void AddPiles(ResultSheet& sheet);             // no creep; a cone, or a layer
void AddWheel(ResultSheet& sheet);             // [RB] table 1
void AddTroughFaces(ResultSheet& sheet);       // [AS] §6: loads a ball in a trough rolls under
void AddTwoPointContacts(ResultSheet& sheet);  // [AS]: rolling on two contact points

}  // namespace talus::validation
