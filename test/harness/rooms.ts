/** One file imports another. The paths start at the root of the repository. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds files and folders that import each other, directly or through others. At every level a folder with all its
 * files is one node. Without such circles a reader can understand the folders of a package separately.
 */
export function roomsInCircles(imports: readonly Import[]): string[] {
  let arrows = imports.flatMap(arrowOf);
  for (;;) {
    const importing = new Set(arrows.map(({ from }) => from));
    const imported = new Set(arrows.map(({ to }) => to));
    // A node is not in a circle if it imports nothing or nothing imports it.
    const left = arrows.filter(({ from, to }) => imported.has(from) && importing.has(to));
    if (left.length === arrows.length) return [...new Set(left.map(({ from, to }) => `${from} -> ${to}`))].sort();
    arrows = left;
  }
}

/** Converts an import of files to one of neighbours: the two entries of the lowest folder that contains both files. */
function arrowOf({ from, to }: Import): Import[] {
  const [source, target] = [from.split('/'), to.split('/')];
  const shared = source.findIndex((part, at) => part !== target[at]);
  if (shared === -1) return [];
  return [{ from: source.slice(0, shared + 1).join('/'), to: target.slice(0, shared + 1).join('/') }];
}
