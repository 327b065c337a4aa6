/**
 * By how much the logarithm of the likelihood has to gain by a rise. Without any, 2,000 drawn streams each of 60 to 3,000
 * values exceeded 4.2 to 4.8 in 5 % of cases.
 */
const LEAST_GAIN = 4.5

/**
 * The outcome from which on the mean is higher, by the largest likelihood of one change in the mean of normal values
 * (Hinkley, Biometrika 57, 1970); 0 where one mean from the beginning explains them about as well.
 */
export function riseBegins(values: ArrayLike<number>): number {
  const n = values.length
  let [total, squares] = [0, 0]
  for (let i = 0; i < n; i++) {
    total += values[i]!
    squares += values[i]! ** 2
  }
  let [best, bestAt, before] = [0, 0, 0]
  for (let at = 1; at < n; at++) {
    before += values[at - 1]!
    const rise = (total - before) / (n - at) - before / at
    const explained = rise > 0 ? (rise * rise * at * (n - at)) / n : 0
    if (explained > best) {
      best = explained
      bestAt = at
    }
  }
  const left = (squares - (total * total) / n - best) / n
  return left <= 0 ? bestAt : best / (2 * left) > LEAST_GAIN ? bestAt : 0
}
