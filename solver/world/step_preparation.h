// What a step makes before it solves: free velocities, pairs, contacts, and where these find what
// they carried in the last step.
//
// All of it follows from the state that the step before has left, so it can be made ahead, while
// nobody waits for it, and so can the solve. What was made ahead is taken where the state is still
// the same; the bits of the step do not depend on it.
#pragma once

#include "solver/contact/assemble.h"
#include "solver/world/step_context.h"

namespace talus {

// Fills context.buffers: the free velocities, the contact set with the rows of the kept impulses in
// its slots, and of context.report what these stages came to.
void PrepareStep(StepContext& context);

// The same ahead of the step, and the problem of its contacts, in buffers of its own: what can be
// asked for stays that of the last step. Where nothing new came before the last steps it goes on to
// the result, which the step then only makes the state's. Does nothing in scenes whose bodies may
// sleep or where bodies are still to be born. Whoever changes the state afterwards must call
// PreparedStep::Forget or, where he has changed targets of joints and nothing else, ForgetResult.
void PrepareStepAhead(StepContext& context);

// Whether contacts look for the impulses of the last step: where a solve may start from them, and
// where contacts of sleeping bodies keep them, wherever a solve starts from.
bool KeepsImpulses(const StepSettings& settings);
// And the normals of its contacts with them: where bristles, of surfaces or of the law, remember.
bool KeepsNormals(const SceneState& state);

// By row: what velocities would be without contact. The inverse inertias have been turned.
void FindFreeVelocities(const StepContext& context, std::vector<Vec3>& linear,
                        std::vector<Vec3>& angular);
// Free velocities, in the buffers, and in `set` the contacts that a step from this state finds,
// without what they carried. What was made ahead must be forgotten.
void FindNextContacts(StepContext& context, ContactSet& set);
// What the solve of a step is given.
DynamicsView ViewDynamics(const StepContext& context);
WarmStart MakeWarmStart(const SceneState& state, std::span<const uint32_t> kept_rows);
AssemblySettings MakeAssemblySettings(const StepSettings& settings);

}  // namespace talus
