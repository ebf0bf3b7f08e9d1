#include "solver/matrix_solvers/sparse_factor.h"

#include <dlfcn.h>
#include <dmumps_c.h>

#include <type_traits>
#include <utility>
#include <vector>

#include "solver/base/check.h"
#include "solver/base/mutex.h"

namespace talus::matrix {
namespace {

// The library is not made for several threads at once.
Mutex& LibraryMutex() {
  static Mutex mutex;
  return mutex;
}

// Where the BLAS of the machine is OpenBLAS: its sums must not depend on how many cores it sees.
void UseOneBlasThread() {
  static const auto set =
      reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set != nullptr) set(1);
}

// As the manual numbers them, from 1.
constexpr MUMPS_INT kInit = -1, kEnd = -2, kAnalyze = 1, kFactorize = 2, kSolve = 3;
constexpr MUMPS_INT kSequential = -987654;  // "the communicator" of the library without MPI
constexpr int kOutputs[] = {1, 2, 3, 4};
constexpr int kPermutation = 6, kOrdering = 7, kMoreMemory = 14;
constexpr MUMPS_INT kPord = 4;  // an ordering that comes with the library itself
constexpr MUMPS_INT kTooLittleMemory = -9;
static_assert(std::is_same_v<MUMPS_INT, int32_t>);
constexpr int kOperations = 1;  // of the elimination, as the analysis foresees them

}  // namespace

struct SparseFactor::Instance {
  DMUMPS_STRUC_C mumps = {};
  std::vector<MUMPS_INT> rows;
  std::vector<MUMPS_INT> columns;
  std::vector<double> values;
  bool has_factors = false;

  Instance() {
    UseOneBlasThread();
    mumps.par = 1;
    mumps.sym = 0;
    mumps.comm_fortran = kSequential;
    Run(kInit);
    for (const int output : kOutputs) Set(output, output == 4 ? 0 : -1);
    Set(kPermutation, 0);  // the diagonal is large enough
    Set(kOrdering, kPord);
  }
  ~Instance() { Run(kEnd); }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

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
  std::vector<MUMPS_INT> rows, columns;
  std::vector<double> values;
  const auto count = static_cast<size_t>(matrix.nonZeros());
  rows.reserve(count);
  columns.reserve(count);
  values.reserve(count);
  for (Eigen::Index column = 0; column < matrix.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry) {
      rows.push_back(static_cast<MUMPS_INT>(entry.row()) + 1);
      columns.push_back(static_cast<MUMPS_INT>(entry.col()) + 1);
      values.push_back(entry.value());
    }
  }
  if (limits.IsStopped()) return false;
  // The analysis is of the places of the entries alone: the same ones, the same analysis.
  if (instance_ == nullptr || instance_->mumps.n != matrix.rows() || instance_->rows != rows ||
      instance_->columns != columns) {
    if (!Analyze(matrix.rows(), std::move(rows), std::move(columns))) return false;
  }
  Instance& instance = *instance_;
  instance.has_factors = false;
  instance.values = std::move(values);
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

bool SparseFactor::Analyze(Eigen::Index size, std::vector<int32_t> rows,
                           std::vector<int32_t> columns) {
  operation_count_ = 0.0;
  auto instance = std::make_unique<Instance>();
  instance->rows = std::move(rows);
  instance->columns = std::move(columns);
  instance->mumps.n = static_cast<MUMPS_INT>(size);
  instance->mumps.nnz = static_cast<MUMPS_INT8>(instance->rows.size());
  instance->mumps.irn = instance->rows.data();
  instance->mumps.jcn = instance->columns.data();
  instance_.reset();
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
