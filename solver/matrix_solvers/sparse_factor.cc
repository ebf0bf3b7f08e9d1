#include "solver/matrix_solvers/sparse_factor.h"

#include <dmumps_c.h>

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "solver/base/check.h"
#include "solver/base/mutex.h"
#include "solver/matrix_solvers/same_bits.h"

namespace talus::matrix {
namespace {

// The library is not made for several threads at once.
Mutex& LibraryMutex() {
  static Mutex mutex;
  return mutex;
}

// As the manual numbers them, from 1.
constexpr MUMPS_INT kInit = -1, kEnd = -2, kAnalyze = 1, kFactorize = 2, kSolve = 3;
constexpr MUMPS_INT kSequential = -987654;  // "the communicator" of the library without MPI
constexpr int kOutputs[] = {1, 2, 3, 4};
constexpr int kPermutation = 6, kOrdering = 7, kScaling = 8, kMoreMemory = 14;
constexpr MUMPS_INT kPord = 4;        // an ordering that comes with the library itself
constexpr MUMPS_INT kByDiagonal = 1;  // what it chooses itself takes a tenth of the time
constexpr MUMPS_INT kTooLittleMemory = -9;
static_assert(std::is_same_v<MUMPS_INT, int32_t>);
constexpr int kOperations = 1;  // of the elimination, as the analysis foresees them

}  // namespace

struct SparseFactor::Instance {
  DMUMPS_STRUC_C mumps = {};
  std::vector<int> starts;         // of the columns, as Eigen keeps them
  std::vector<MUMPS_INT> rows;     // of the entries, from 1
  std::vector<MUMPS_INT> columns;  // from 1
  std::vector<double> values;
  bool has_factors = false;

  explicit Instance(const SparseMatrix& matrix)
      : starts(matrix.outerIndexPtr(), matrix.outerIndexPtr() + matrix.cols() + 1) {
    KeepSameBits();
    mumps.par = 1;
    mumps.sym = 0;
    mumps.comm_fortran = kSequential;
    Run(kInit);
    for (const int output : kOutputs) Set(output, output == 4 ? 0 : -1);
    Set(kPermutation, 0);  // the diagonal is large enough
    Set(kOrdering, kPord);
    Set(kScaling, kByDiagonal);
    const auto count = static_cast<size_t>(matrix.nonZeros());
    rows.reserve(count);
    columns.reserve(count);
    for (Eigen::Index column = 0; column < matrix.cols(); ++column) {
      for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry) {
        rows.push_back(static_cast<MUMPS_INT>(entry.row()) + 1);
        columns.push_back(static_cast<MUMPS_INT>(column) + 1);
      }
    }
    mumps.n = static_cast<MUMPS_INT>(matrix.rows());
    mumps.nnz = static_cast<MUMPS_INT8>(count);
    mumps.irn = rows.data();
    mumps.jcn = columns.data();
  }
  ~Instance() { Run(kEnd); }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  bool HasPlacesOf(const SparseMatrix& matrix) const {
    return std::ranges::equal(
               starts, std::span(matrix.outerIndexPtr(), static_cast<size_t>(matrix.cols()) + 1)) &&
           std::ranges::equal(
               rows, std::span(matrix.innerIndexPtr(), static_cast<size_t>(matrix.nonZeros())), {},
               [](MUMPS_INT row) { return row - 1; });
  }
  void Set(int control, MUMPS_INT value) { mumps.icntl[control - 1] = value; }
  // The error, or 0.
  MUMPS_INT Run(MUMPS_INT job) {
    const MutexLock lock(LibraryMutex());
    mumps.job = job;
    dmumps_c(&mumps);
    return mumps.infog[0] < 0 ? mumps.infog[0] : 0;
  }
};

SparseFactor::SparseFactor() = default;
SparseFactor::~SparseFactor() = default;

bool SparseFactor::Factorize(const SparseMatrix& matrix, const FactorLimits& limits) {
  TALUS_CHECK(matrix.isCompressed());
  if (limits.IsStopped()) return false;
  // The analysis is of the places of the entries alone: the same ones, the same analysis.
  if ((instance_ == nullptr || !instance_->HasPlacesOf(matrix)) && !Analyze(matrix)) return false;
  Instance& instance = *instance_;
  instance.has_factors = false;
  instance.values.assign(matrix.valuePtr(), matrix.valuePtr() + matrix.nonZeros());
  instance.mumps.a = instance.values.data();
  if (operation_count_ > limits.max_operations) return false;
  // Pivoting may need more than the analysis says, in per cent.
  for (const MUMPS_INT more : {30, 100, 400}) {
    if (limits.IsStopped()) return false;
    instance.Set(kMoreMemory, more);
    const MUMPS_INT error = instance.Run(kFactorize);
    if (error != kTooLittleMemory) return instance.has_factors = error == 0;
  }
  return false;
}

bool SparseFactor::Analyze(const SparseMatrix& matrix) {
  operation_count_ = 0.0;
  instance_.reset();
  auto instance = std::make_unique<Instance>(matrix);
  if (instance->Run(kAnalyze) != 0) return false;
  operation_count_ = instance->mumps.rinfog[kOperations - 1];
  instance_ = std::move(instance);
  return true;
}

bool SparseFactor::Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const {
  if (instance_ == nullptr || !instance_->has_factors) return false;
  TALUS_CHECK(right.size() == instance_->mumps.n);
  solution = right;
  instance_->mumps.rhs = solution.data();
  return instance_->Run(kSolve) == 0;
}

}  // namespace talus::matrix
