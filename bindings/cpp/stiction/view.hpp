// Views of numbers that somebody else owns: vectors, column-major matrices, and Eigen's maps of
// both.
#ifndef STICTION_VIEW_HPP
#define STICTION_VIEW_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace stiction {

/// A pointer and a length; std::span for C++17.
template <class T> class span {
public:
  constexpr span() noexcept = default;
  constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
  /// Anything with data() and size() whose elements fit: vectors, arrays, Eigen vectors.
  template <class C,
            class = std::enable_if_t<std::is_convertible_v<
                std::remove_pointer_t<decltype(std::declval<C &>().data())> (*)[], T (*)[]>>,
            class = decltype(std::declval<C &>().size())>
  constexpr span(C &&c) noexcept : data_(c.data()), size_(static_cast<std::size_t>(c.size())) {}
  template <std::size_t N> constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
  /// Numbers written in place, for the time of the call: set_state(0, {1, 0}, {0, 0}).
  template <class U = T, class = std::enable_if_t<std::is_const_v<U>>>
  constexpr span(std::initializer_list<std::remove_const_t<U>> list) noexcept : size_(list.size()) {
    if (size_ > 0)
      data_ = list.begin();
  }

  constexpr T *data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T &operator[](std::size_t i) const noexcept { return data_[i]; }
  constexpr T *begin() const noexcept { return data_; }
  constexpr T *end() const noexcept { return data_ + size_; }

private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

/// A column-major matrix: rows by columns, columns `stride` numbers apart.
template <class T> class basic_matrix {
public:
  constexpr basic_matrix() noexcept = default;
  constexpr basic_matrix(T *data, std::size_t rows, std::size_t columns) noexcept
      : basic_matrix(data, rows, columns, rows) {}
  constexpr basic_matrix(T *data, std::size_t rows, std::size_t columns,
                         std::size_t stride) noexcept
      : data_(data), rows_(rows), columns_(columns), stride_(stride) {}
  template <class U, class = std::enable_if_t<std::is_convertible_v<U (*)[], T (*)[]>>>
  constexpr basic_matrix(const basic_matrix<U> &m) noexcept
      : basic_matrix(m.data(), m.rows(), m.columns(), m.stride()) {}

  constexpr T *data() const noexcept { return data_; }
  constexpr std::size_t rows() const noexcept { return rows_; }
  constexpr std::size_t columns() const noexcept { return columns_; }
  constexpr std::size_t stride() const noexcept { return stride_; }
  constexpr T &operator()(std::size_t i, std::size_t j) const noexcept {
    return data_[i + j * stride_];
  }

private:
  T *data_ = nullptr;
  std::size_t rows_ = 0, columns_ = 0, stride_ = 0;
};

using matrix = basic_matrix<double>;
using const_matrix = basic_matrix<const double>;

#ifdef EIGEN_WORLD_VERSION
/// Eigen's view of an argument of a model function: map(mass).setIdentity(), map(force) = k *
/// map(q).
inline Eigen::Map<Eigen::VectorXd> map(span<double> s) {
  return {s.data(), static_cast<Eigen::Index>(s.size())};
}
inline Eigen::Map<const Eigen::VectorXd> map(span<const double> s) {
  return {s.data(), static_cast<Eigen::Index>(s.size())};
}
inline Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>> map(matrix m) {
  return {m.data(), static_cast<Eigen::Index>(m.rows()), static_cast<Eigen::Index>(m.columns()),
          Eigen::OuterStride<>(static_cast<Eigen::Index>(m.stride()))};
}
/// Our view of a column-major Eigen matrix, or of a block of one, where it lies.
template <class Derived> const_matrix view(const Eigen::DenseBase<Derived> &m) {
  static_assert(!Derived::IsRowMajor || Derived::IsVectorAtCompileTime,
                "the library reads columns: use a column-major matrix");
  static_assert(Derived::InnerStrideAtCompileTime == 1, "the numbers of a column must be adjacent");
  const Derived &d = m.derived();
  return {d.data(), static_cast<std::size_t>(d.rows()), static_cast<std::size_t>(d.cols()),
          static_cast<std::size_t>(d.outerStride())};
}
#endif

} // namespace stiction

#endif
