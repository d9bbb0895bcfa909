/** Counts the files with each note, by its words before the first colon. The most frequent come first. */
export function countNotes(files: readonly (readonly string[])[]): [note: string, files: number][] {
  const counts = new Map<string, number>();
  for (const notes of files) {
    for (const kind of new Set(notes.map((note) => note.split(': ', 1)[0] ?? ''))) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}
