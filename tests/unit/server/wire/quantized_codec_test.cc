// Quantised poses come back within the bounds that frame.proto states, whatever the frame before;
// what does not fit is told in full.
#include "server/wire/quantized_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "clients/cpp/frame_decoder.h"
#include "server/wire/frame_codec.h"
#include "solver/base/random.h"

namespace talus::wire {
namespace {

constexpr FrameParts kPoses = {.positions = true, .orientations = true};

// Upright where no orientations are given.
std::shared_ptr<FrameData> MakeFrame(int64_t moment, std::vector<double> positions,
                                     std::vector<double> orientations = {}) {
  while (4 * positions.size() > 3 * orientations.size()) {
    orientations.insert(orientations.end(), {1.0, 0.0, 0.0, 0.0});
  }
  auto frame = std::make_shared<FrameData>();
  frame->moment = frame->step_index = moment;
  auto layout = std::make_shared<Layout>();
  layout->version = 1;
  for (uint64_t id = 1; id <= positions.size() / 3; ++id) layout->body_ids.push_back(id);
  frame->layout = layout;
  frame->parts = kPoses;
  frame->positions_world_m = std::move(positions);
  frame->orientations_wxyz = std::move(orientations);
  return frame;
}

ContactRecord ContactOf(uint32_t row_a, uint32_t row_b) {
  ContactRecord contact;
  contact.body_a_row = row_a;
  contact.body_b_row = row_b;
  for (Vec3* vector : {&contact.point_world, &contact.normal_world, &contact.force_world_n,
                       &contact.torque_world_n_m}) {
    *vector = Vec3::Zero();
  }
  return contact;
}

v1::Frame Encode(const FrameData& frame, const FramePtr& base, double step) {
  v1::Frame message;
  EncodeFrame(
      frame,
      {.parts = kPoses, .profile = Profile::kQuantized, .position_step_m = step, .base = base},
      message);
  return message;
}

std::vector<double> DecodedPositions(client::FrameDecoder& decoder, v1::Frame message) {
  const auto decoded = decoder.Decode(message);
  EXPECT_TRUE(decoded) << decoded.error().message;
  return {message.bodies().positions_world_m().begin(), message.bodies().positions_world_m().end()};
}

// Half a step, and the rounding of a product of doubles.
void ExpectWithinHalfAStep(const std::vector<double>& decoded, const std::vector<double>& sent,
                           double step) {
  ASSERT_EQ(decoded.size(), sent.size());
  for (size_t i = 0; i < sent.size(); ++i) {
    EXPECT_LE(std::abs(decoded[i] - sent[i]), step / 2.0 + 1e-15 * std::abs(sent[i])) << i;
  }
}

TEST(QuantizedCodecTest, PositionsAreOffByHalfAStepAtMost) {
  Random random(20261123);
  for (const double step : {1e-6, 1e-4, 3e-3, 1.0}) {
    std::vector<double> positions(300);
    for (double& x : positions) x = 50.0 * (2.0 * random.Uniform() - 1.0);
    const auto key = MakeFrame(1, positions);
    client::FrameDecoder decoder;
    ExpectWithinHalfAStep(DecodedPositions(decoder, Encode(*key, nullptr, step)), positions, step);
    for (int64_t moment = 2; moment < 6; ++moment) {
      // From moves of a fraction of a step to moves beyond what a difference can tell.
      for (double& x : positions) {
        x += step * std::pow(10.0, 6.0 * random.Uniform() - 1.0) * (random.Uniform() - 0.5);
      }
      const v1::Frame message = Encode(*MakeFrame(moment, positions), key, step);
      EXPECT_FALSE(message.quantized_bodies().key_frame());
      EXPECT_EQ(message.quantized_bodies().key_moment(), 1);
      EXPECT_EQ(message.quantized_bodies().changed_rows().size(), 13u);
      ExpectWithinHalfAStep(DecodedPositions(decoder, message), positions, step);
    }
  }
}

TEST(QuantizedCodecTest, WhatDoesNotFitIsToldInFull) {
  const double step = 1e-6;
  const std::vector<double> near = {1.0, 2.0, 3.0, 0.5, 0.0, 0.0, -1.0, 0.0, 0.0};
  std::vector<double> far = near;
  far[4] = 1e12;  // the bound of positions
  const auto key = MakeFrame(1, far);
  client::FrameDecoder decoder;
  const v1::Frame message = Encode(*key, nullptr, step);
  EXPECT_EQ(message.quantized_bodies().wide_rows_size(), 1);
  EXPECT_EQ(message.quantized_bodies().wide_rows(0), 1u);
  EXPECT_EQ(DecodedPositions(decoder, message)[4], 1e12);
  // Back again, and another one a metre away: a million steps.
  std::vector<double> back = near;
  back[8] = 1.0;
  const v1::Frame delta = Encode(*MakeFrame(2, back), key, step);
  EXPECT_EQ(delta.quantized_bodies().wide_rows_size(), 2);
  ExpectWithinHalfAStep(DecodedPositions(decoder, delta), back, step);
  // The border of the integers themselves.
  const double most = std::numeric_limits<int32_t>::max();
  const auto border = MakeFrame(3, {most, -most - 1.0, 0.0, most + 1.0, 0.0, 0.0});
  const v1::Frame edge = Encode(*border, nullptr, 1.0);
  EXPECT_EQ(edge.quantized_bodies().wide_rows_size(), 1);
  EXPECT_EQ(DecodedPositions(decoder, edge), border->positions_world_m);
}

TEST(QuantizedCodecTest, RotationsAreOffByTheStatedAngleAtMost) {
  Random random(7);
  std::vector<double> orientations = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -1};
  const double half = std::sqrt(0.5);
  orientations.insert(orientations.end(), {half, -half, 0, 0, 0.5, -0.5, 0.5, -0.5});
  while (orientations.size() < 4000) {
    double q[4];
    double norm = 0.0;
    for (double& component : q) {
      component = 2.0 * random.Uniform() - 1.0;
      norm += component * component;
    }
    for (const double component : q) orientations.push_back(component / std::sqrt(norm));
  }
  const size_t count = orientations.size() / 4;
  client::FrameDecoder decoder;
  v1::Frame message =
      Encode(*MakeFrame(1, std::vector<double>(3 * count), orientations), nullptr, 1e-4);
  EXPECT_EQ(message.quantized_bodies().orientations().size(), 6 * count);
  ASSERT_TRUE(decoder.Decode(message));
  const auto& decoded = message.bodies().orientations_wxyz();
  double worst = 0.0;
  for (size_t row = 0; row < count; ++row) {
    double dot = 0.0;
    double norm = 0.0;
    for (size_t i = 0; i < 4; ++i) {
      const double component = decoded[static_cast<int>(4 * row + i)];
      dot += component * orientations[4 * row + i];
      norm += component * component;
    }
    EXPECT_NEAR(norm, 1.0, 1e-12);
    // Twice the angle between the quaternions, from the chord: an arc cosine near 1 is all noise.
    double chord = 0.0;
    for (size_t i = 0; i < 4; ++i) {
      const double difference = decoded[static_cast<int>(4 * row + i)] -
                                std::copysign(1.0, dot) * orientations[4 * row + i];
      chord += difference * difference;
    }
    worst = std::max(worst, 4.0 * std::asin(std::sqrt(chord) / 2.0));
  }
  EXPECT_LE(worst, 2e-4);
  EXPECT_GT(worst, 2e-5) << "so coarse it is, unless nothing was quantised";
}

TEST(QuantizedCodecTest, OnlyRowsThatDifferFromTheKeyFrameAreTold) {
  Random random(20261127);
  const double step = 1e-3;
  constexpr size_t kRows = 21;
  std::vector<double> positions(3 * kRows);
  for (double& x : positions) x = 10.0 * random.Uniform();
  std::vector<double> orientations;
  for (size_t row = 0; row < kRows; ++row) orientations.insert(orientations.end(), {1, 0, 0, 0});
  positions[3 * 11] = 1e12;  // told in full by the key frame
  const auto key = MakeFrame(1, positions, orientations);
  client::FrameDecoder decoder;
  v1::Frame key_message = Encode(*key, nullptr, step);
  ASSERT_TRUE(decoder.Decode(key_message));

  // Row 2 moves, row 9 turns, row 20 does both, row 4 by less than the grid tells; 5 turns by less.
  auto moved = positions;
  auto turned = orientations;
  moved[3 * 2 + 1] += 0.5;
  moved[3 * 20] -= 2.0;
  moved[3 * 4] = std::nearbyint(moved[3 * 4] / step) * step;
  const double half = std::sqrt(0.5);
  for (const size_t row : {9, 20}) {
    turned[4 * row] = half;
    turned[4 * row + 3] = -half;
  }
  turned[4 * 5 + 1] = 1e-7;
  const v1::Frame message = Encode(*MakeFrame(2, moved, turned), key, step);
  const v1::QuantizedBodies& told = message.quantized_bodies();
  EXPECT_EQ(told.changed_rows(), std::string("\x04\x02\x10", 3));
  EXPECT_EQ(told.position_deltas().size(), 3u * 6);
  EXPECT_EQ(told.orientations().size(), 3u * 6);
  EXPECT_EQ(told.wide_rows_size(), 0) << "row 11 stays where the key frame has it";
  v1::Frame decoded = message;
  ASSERT_TRUE(decoder.Decode(decoded));
  ExpectWithinHalfAStep(
      {decoded.bodies().positions_world_m().begin(), decoded.bodies().positions_world_m().end()},
      moved, step);
  ASSERT_EQ(decoded.bodies().orientations_wxyz_size(), static_cast<int>(turned.size()));
  for (size_t i = 0; i < turned.size(); ++i) {
    // Told up to sign: the largest component is positive, which it is here.
    EXPECT_NEAR(decoded.bodies().orientations_wxyz(static_cast<int>(i)), turned[i], 1e-4) << i;
  }

  // Back where they were: nothing is left to tell, and the decoder has not kept the moves.
  v1::Frame back = Encode(*MakeFrame(3, positions, orientations), key, step);
  EXPECT_TRUE(back.quantized_bodies().position_deltas().empty());
  ASSERT_TRUE(decoder.Decode(back));
  for (int i = 0; i < back.bodies().positions_world_m_size(); ++i) {
    EXPECT_EQ(back.bodies().positions_world_m(i), key_message.bodies().positions_world_m(i)) << i;
  }
}

TEST(QuantizedCodecTest, WhatLeavesOrEntersTheGridIsTold) {
  const double step = 1e-6;
  const auto key = MakeFrame(1, {0.0, 0.0, 0.0, 1e12, 0.0, 0.0});
  client::FrameDecoder decoder;
  v1::Frame message = Encode(*key, nullptr, step);
  ASSERT_TRUE(decoder.Decode(message));
  const std::vector<double> swapped = {2e12, 0.0, 0.0, 0.0, 0.0, 0.0};
  const v1::Frame delta = Encode(*MakeFrame(2, swapped), key, step);
  EXPECT_EQ(delta.quantized_bodies().changed_rows(), "\x03");
  EXPECT_EQ(DecodedPositions(decoder, delta), swapped);
  const std::vector<double> farther = {0.0, 0.0, 0.0, 1e12 + 0.25, 0.0, 0.0};
  EXPECT_EQ(DecodedPositions(decoder, Encode(*MakeFrame(3, farther), key, step)), farther);
}

TEST(QuantizedCodecTest, PositionsAloneAndOrientationsAloneChangeToo) {
  const std::vector<double> places = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
  const std::vector<double> turns = {1, 0, 0, 0, 1, 0, 0, 0};
  const auto key = MakeFrame(1, places, turns);
  const auto frame = MakeFrame(2, {1.0, 2.0, 3.0, 4.5, 5.0, 6.0}, {0, 1, 0, 0, 1, 0, 0, 0});
  for (const bool positions : {true, false}) {
    FrameView view = {.parts = {.positions = positions, .orientations = !positions},
                      .profile = Profile::kQuantized,
                      .position_step_m = 0.25};
    client::FrameDecoder decoder;
    v1::Frame first;
    EncodeFrame(*key, view, first);
    ASSERT_TRUE(decoder.Decode(first));
    view.base = key;
    v1::Frame second;
    EncodeFrame(*frame, view, second);
    EXPECT_EQ(second.quantized_bodies().changed_rows(), positions ? "\x02" : "\x01");
    ASSERT_TRUE(decoder.Decode(second));
    EXPECT_EQ(second.bodies().positions_world_m_size(), positions ? 6 : 0);
    EXPECT_EQ(second.bodies().orientations_wxyz_size(), positions ? 0 : 8);
    if (positions) {
      EXPECT_EQ(second.bodies().positions_world_m(3), 4.5);
    } else {
      EXPECT_NEAR(second.bodies().orientations_wxyz(1), 1.0, 1e-9);
    }
  }
}

TEST(QuantizedCodecTest, ADecoderRefusesWhatItCannotKnow) {
  const auto first = MakeFrame(1, {1.0, 2.0, 3.0});
  const auto second = MakeFrame(5, {1.0, 2.0, 3.0});
  const auto third = MakeFrame(6, {1.0, 2.0, 3.0});
  client::FrameDecoder decoder;
  v1::Frame message = Encode(*third, second, 1e-3);
  EXPECT_EQ(decoder.Decode(message).code(), client::Code::kDataLoss);
  v1::Frame key = Encode(*first, nullptr, 1e-3);
  ASSERT_TRUE(decoder.Decode(key));
  message = Encode(*third, second, 1e-3);
  EXPECT_EQ(decoder.Decode(message).code(), client::Code::kDataLoss);
  message = Encode(*third, first, 1e-3);
  message.mutable_quantized_bodies()->mutable_changed_rows()->clear();
  EXPECT_EQ(decoder.Decode(message).code(), client::Code::kDataLoss);
  message = Encode(*third, first, 1e-3);
  message.mutable_quantized_bodies()->set_changed_rows("\x01");
  EXPECT_EQ(decoder.Decode(message).code(), client::Code::kDataLoss) << "a row without its numbers";
  message.mutable_quantized_bodies()->set_position_deltas("123456");
  EXPECT_EQ(decoder.Decode(message).code(), client::Code::kDataLoss) << "it has no quaternion";
  message.mutable_quantized_bodies()->set_orientations("123456");
  EXPECT_TRUE(decoder.Decode(message));
  message = Encode(*third, first, 1e-3);
  message.mutable_quantized_bodies()->set_changed_rows("\x02");
  message.mutable_quantized_bodies()->set_position_deltas("123456");
  message.mutable_quantized_bodies()->set_orientations("123456");
  EXPECT_EQ(decoder.Decode(message).code(), client::Code::kDataLoss) << "there is one row";
  message = Encode(*third, first, 1e-3);
  message.mutable_quantized_bodies()->add_wide_rows(1);
  EXPECT_EQ(decoder.Decode(message).code(), client::Code::kDataLoss);
}

TEST(QuantizedCodecTest, AViewerGetsAFifthOrLess) {
  const auto key = MakeFrame(1, std::vector<double>(3000, 1.5), std::vector<double>(4000, 0.5));
  const auto frame = MakeFrame(2, std::vector<double>(3000, 1.6), std::vector<double>(4000, 0.5));
  v1::Frame plain;
  EncodeFrame(*frame, {.parts = kPoses}, plain);
  const auto all = static_cast<double>(plain.ByteSizeLong());
  EXPECT_LT(4.5 * static_cast<double>(Encode(*frame, key, 1e-4).ByteSizeLong()), all);
  // A bit a row of 56 bytes, 448 times less, and the fields of the frame itself.
  const auto still = MakeFrame(2, key->positions_world_m, key->orientations_wxyz);
  EXPECT_LT(300.0 * static_cast<double>(Encode(*still, key, 1e-4).ByteSizeLong()), all);
}

TEST(QuantizedCodecTest, FloatsAreTheNearestFloats) {
  auto frame = MakeFrame(1, {0.1, 1e9 + 1.0, -3.0}, {0.6, 0.8, 0.0, 0.0});
  frame->linear_velocities_world_m_s = {1.0 / 3.0, 0.0, 1e-42};
  frame->angular_velocities_world_rad_s = {4.0, 5.0, 6.0};
  ContactRecord contact = ContactOf(0, 0);
  contact.point_world = Vec3(0.1, 0.2, 0.3);
  contact.gap_m = -1e-5;
  contact.mode = kContactClosed;
  contact.wrench_contact[5] = 2.0 / 3.0;
  frame->contacts = {contact};
  v1::Frame message;
  EncodeFrame(
      *frame,
      {.parts = {.positions = true, .orientations = true, .velocities = true, .contacts = true},
       .profile = Profile::kF32},
      message);
  EXPECT_FALSE(message.has_bodies() || message.has_contacts());
  EXPECT_EQ(message.float_bodies().positions_world_m(1), static_cast<float>(1e9 + 1.0));
  client::FrameDecoder decoder;
  ASSERT_TRUE(decoder.Decode(message));
  EXPECT_EQ(message.bodies().positions_world_m(0), static_cast<double>(0.1f));
  EXPECT_EQ(message.bodies().orientations_wxyz(1), static_cast<double>(0.8f));
  EXPECT_EQ(message.bodies().linear_velocities_world_m_s(2), static_cast<double>(1e-42f));
  EXPECT_EQ(message.bodies().angular_velocities_world_rad_s(2), 6.0);
  EXPECT_EQ(message.contacts().modes(0), kContactClosed);
  EXPECT_EQ(message.contacts().gaps_m(0), static_cast<double>(-1e-5f));
  EXPECT_EQ(message.contacts().wrenches_contact(5), static_cast<double>(2.0f / 3.0f));
}

TEST(QuantizedCodecTest, OnlySelectedRowsAndTheirContactsAreSent) {
  auto frame = MakeFrame(1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                         {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  for (const auto& [a, b] : {std::pair<uint32_t, uint32_t>{0, 1}, {1, 2}, {0, 3}, {2, 3}}) {
    frame->contacts.push_back(ContactOf(a, b));
  }
  FrameView view = {.parts = {.positions = true, .orientations = true, .contacts = true}};
  view.bodies = *SelectedBodies::Resolve({.ids = {2, 4}}, *frame->layout);
  v1::Frame message;
  EncodeFrame(*frame, view, message);
  EXPECT_EQ(std::vector<uint32_t>(message.selected_rows().rows().begin(),
                                  message.selected_rows().rows().end()),
            (std::vector<uint32_t>{1, 3}));
  EXPECT_EQ(std::vector<double>(message.bodies().positions_world_m().begin(),
                                message.bodies().positions_world_m().end()),
            (std::vector<double>{3, 4, 5, 9, 10, 11}));
  EXPECT_EQ(message.bodies().orientations_wxyz_size(), 8);
  EXPECT_EQ(message.contacts().body_a_rows_size(), 4) << "each touches row 1 or 3";
  view.bodies = *SelectedBodies::Resolve({.ids = {2}}, *frame->layout);
  view.profile = Profile::kQuantized;
  view.position_step_m = 1.0;
  v1::Frame one;
  EncodeFrame(*frame, view, one);
  EXPECT_EQ(one.float_contacts().body_a_rows_size(), 2);
  client::FrameDecoder decoder;
  EXPECT_EQ(DecodedPositions(decoder, one), (std::vector<double>{3, 4, 5}));
}

TEST(QuantizedCodecTest, ProfileGridSelectionAndKeyFrameMakeAViewOfTheirOwn) {
  const auto frame = MakeFrame(3, {1, 2, 3, 4, 5, 6});
  const FrameView plain = {.parts = kPoses};
  std::vector<FrameView> views(6, plain);
  views[1].profile = Profile::kF32;
  views[2].profile = Profile::kQuantized;
  views[3].position_step_m = 0.25;
  views[4].base = frame;
  views[5].bodies = *SelectedBodies::Resolve({.ids = {1}}, *frame->layout);
  std::set<ViewKey> keys;
  for (const FrameView& view : views) keys.insert(view.Key());
  EXPECT_EQ(keys.size(), views.size());
  EXPECT_EQ(FrameView(views[5]).Key(), views[5].Key());
}

}  // namespace
}  // namespace talus::wire
