/**
 * Solves A x = b for a symmetric positive definite A [n × n, row-major] and each right-hand side, by Cholesky's
 * factorisation A = L Lᵀ (Golub and Van Loan, Matrix Computations, 4.2). Only its diagonal and what lies below are read. Throws
 * a RangeError where A is not positive definite.
 */
export function solveSymmetric(a: Float64Array, n: number, rightHandSides: readonly Float64Array[]): Float64Array[] {
  const l = factor(a, n)
  return rightHandSides.map((b) => {
    const x = Float64Array.from(b)
    for (let i = 0; i < n; i++) {
      let sum = x[i]!
      for (let k = 0; k < i; k++) sum -= l[i * n + k]! * x[k]!
      x[i] = sum / l[i * n + i]!
    }
    for (let i = n - 1; i >= 0; i--) {
      let sum = x[i]!
      for (let k = i + 1; k < n; k++) sum -= l[k * n + i]! * x[k]!
      x[i] = sum / l[i * n + i]!
    }
    return x
  })
}

function factor(a: Float64Array, n: number): Float64Array {
  const l = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j]!
      for (let k = 0; k < j; k++) sum -= l[i * n + k]! * l[j * n + k]!
      if (i !== j) l[i * n + j] = sum / l[j * n + j]!
      else if (sum > 0) l[i * n + i] = Math.sqrt(sum)
      else throw new RangeError(`The matrix is not positive definite at row ${i}.`)
    }
  }
  return l
}
