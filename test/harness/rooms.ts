/** An import of one file by another, as paths from the root of the repository. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds files and folders that import each other, directly or through others. At every level a folder counts as one
 * node with all its files, so that a reader can understand the folders of a package one by one.
 */
export function roomsInCircles(imports: readonly Import[]): string[] {
  let arrows = imports.flatMap(arrowOf);
  for (;;) {
    const importing = new Set(arrows.map(({ from }) => from));
    const imported = new Set(arrows.map(({ to }) => to));
    // A node without imports, or one that nothing imports, is not part of a circle.
    const left = arrows.filter(({ from, to }) => imported.has(from) && importing.has(to));
    if (left.length === arrows.length) return [...new Set(left.map(({ from, to }) => `${from} -> ${to}`))].sort();
    arrows = left;
  }
}

/** Lifts an import to the two neighbours in the lowest folder that both files share. */
function arrowOf({ from, to }: Import): Import[] {
  const [source, target] = [from.split('/'), to.split('/')];
  const shared = source.findIndex((part, at) => part !== target[at]);
  if (shared === -1) return [];
  return [{ from: source.slice(0, shared + 1).join('/'), to: target.slice(0, shared + 1).join('/') }];
}
