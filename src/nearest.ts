// Misspelt words and the known ones nearest to them, for error messages. A leaf: imports nothing.

/** Edit distance (insert, delete, replace, swap of neighbours), case ignored; two rows by Wagner and Fischer. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, before[j - 2] + 1);
      row.push(best);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length];
}

/** The word that was probably meant, or null when none is near: at most a third of the letters may differ. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  if (word.length > 64) return null;
  const lower = word.toLowerCase();
  let best: string | null = null;
  let bestDistance = Infinity;
  for (const candidate of known) {
    const target = candidate.toLowerCase();
    // a prefix or an extension ("moved", "tele") is near whatever its length
    const stem = Math.min(lower.length, target.length) >= 3 && (target.startsWith(lower) || lower.startsWith(target));
    const distance = stem ? Math.min(1, editDistance(lower, target)) : editDistance(lower, target);
    const allowed = stem ? 1 : Math.floor(Math.max(lower.length, target.length) / 3);
    if (distance <= allowed && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The nearest of the known words, however far: for short lists where some advice is better than none. */
export function closestWord<T extends string>(word: string, known: readonly T[]): T {
  const near = nearestWord(word, known);
  if (near !== null) return near as T;
  const lower = word.slice(0, 64).toLowerCase();
  const distances = known.map((candidate) => editDistance(lower, candidate.toLowerCase()));
  return known[distances.indexOf(Math.min(...distances))];
}
