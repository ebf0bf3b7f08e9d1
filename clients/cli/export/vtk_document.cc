#include "clients/cli/export/vtk_document.h"

#include <openssl/evp.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <numeric>
#include <vector>

namespace talus::cli {
namespace {

static_assert(std::endian::native == std::endian::little, "the arrays are written as they stand");

template <typename Number>
std::string Encode(std::span<const Number> numbers) {
  const uint64_t size = numbers.size_bytes();
  std::vector<unsigned char> bytes(sizeof size + size);
  std::memcpy(bytes.data(), &size, sizeof size);
  if (size > 0) std::memcpy(bytes.data() + sizeof size, numbers.data(), size);
  std::string text;
  // In pieces of whole groups of three, for the library counts in int.
  constexpr size_t kPiece = size_t{3} << 24;
  for (size_t begin = 0; begin < bytes.size(); begin += kPiece) {
    const size_t count = std::min(kPiece, bytes.size() - begin);
    const size_t old = text.size();
    text.resize(old + 4 * ((count + 2) / 3) + 1);
    const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()) + old,
                                       bytes.data() + begin, static_cast<int>(count));
    text.resize(old + static_cast<size_t>(length));
  }
  return text;
}

template <typename Number>
std::string DataArray(const char* type, const std::string& name, int width,
                      std::span<const Number> numbers, const std::string& more = "") {
  return "<DataArray type=\"" + std::string(type) + "\" Name=\"" + name +
         "\" NumberOfComponents=\"" + std::to_string(width) + "\" " + more + "format=\"binary\">" +
         Encode(numbers) + "</DataArray>\n";
}

}  // namespace

VtkDocument::VtkDocument(std::span<const double> points, double time_s)
    : point_count_(points.size() / 3),
      points_(DataArray("Float64", "Points", 3, points)),
      time_(DataArray("Float64", "TimeValue", 1, std::span<const double>(&time_s, 1),
                      "NumberOfTuples=\"1\" ")) {}

void VtkDocument::AddArray(const std::string& name, int width, std::span<const double> numbers) {
  arrays_ += DataArray("Float64", name, width, numbers);
}

void VtkDocument::AddArray(const std::string& name, int width, std::span<const uint32_t> numbers) {
  arrays_ += DataArray("UInt32", name, width, numbers);
}

void VtkDocument::AddArray(const std::string& name, int width, std::span<const int64_t> numbers) {
  arrays_ += DataArray("Int64", name, width, numbers);
}

std::string VtkDocument::Finish() const {
  std::vector<int64_t> connectivity(point_count_);
  std::iota(connectivity.begin(), connectivity.end(), 0);
  std::vector<int64_t> offsets(point_count_);
  std::iota(offsets.begin(), offsets.end(), 1);
  const std::string count = std::to_string(point_count_);
  return "<?xml version=\"1.0\"?>\n"
         "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
         "header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n" +
         time_ + "</FieldData>\n<Piece NumberOfPoints=\"" + count + "\" NumberOfVerts=\"" + count +
         "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<Points>\n" + points_ +
         "</Points>\n<Verts>\n" +
         DataArray("Int64", "connectivity", 1, std::span<const int64_t>(connectivity)) +
         DataArray("Int64", "offsets", 1, std::span<const int64_t>(offsets)) +
         "</Verts>\n<PointData>\n" + arrays_ + "</PointData>\n</Piece>\n</PolyData>\n</VTKFile>\n";
}

void VtkCollection::Add(double time_s, const std::string& file) {
  char text[32];
  const std::string time(text, std::to_chars(text, text + sizeof text, time_s).ptr);
  entries_ += "<DataSet timestep=\"" + time + "\" part=\"0\" file=\"" + file + "\"/>\n";
}

std::string VtkCollection::Finish() const {
  return "<?xml version=\"1.0\"?>\n"
         "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
         "<Collection>\n" +
         entries_ + "</Collection>\n</VTKFile>\n";
}

}  // namespace talus::cli
