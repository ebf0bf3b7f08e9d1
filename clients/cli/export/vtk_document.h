// A VTK XML PolyData document (docs.vtk.org, "VTK XML file formats") of points with arrays of
// numbers, each point a vertex cell so that viewers show it. Arrays are inline base64 of
// little-endian numbers behind their length in bytes as UInt64: small, exact, and still XML.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace talus::cli {

class VtkDocument {
 public:
  // 3 numbers a point.
  VtkDocument(std::span<const double> points, double time_s);

  // `width` numbers a point.
  void AddArray(const std::string& name, int width, std::span<const double> numbers);
  void AddArray(const std::string& name, int width, std::span<const uint32_t> numbers);
  void AddArray(const std::string& name, int width, std::span<const int64_t> numbers);

  // The whole document.
  std::string Finish() const;

 private:
  size_t point_count_;
  std::string points_;
  std::string time_;
  std::string arrays_;
};

// A ParaView collection: one file a time.
class VtkCollection {
 public:
  void Add(double time_s, const std::string& file);
  std::string Finish() const;

 private:
  std::string entries_;
};

}  // namespace talus::cli
