// Pure plan geometry on exact integers held in f64. |coordinate| <= 2^24 makes differences <= 2^25, products <= 2^50 and
// determinants <= 2^51 < 2^53: every sign below is exact, there is no epsilon anywhere.

/** Twice the signed area of a, b, c: > 0 when c lies left of a -> b (x to z counter-clockwise). */
export function orient(ax: f64, az: f64, bx: f64, bz: f64, cx: f64, cz: f64): f64 {
  return (bx - ax) * (cz - az) - (bz - az) * (cx - ax);
}
