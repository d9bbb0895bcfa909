/** An import of one file by another, as paths from the root of the repository. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/**
 * The files and folders that import each other, directly or by way of others. At every level of the tree a folder counts as
 * one room with all that is in it, so that a reader can understand the folders of a package one after the other.
 */
export function roomsInCircles(imports: readonly Import[]): string[] {
  let arrows = imports.flatMap(arrowOf);
  for (;;) {
    const importing = new Set(arrows.map(({ from }) => from));
    const imported = new Set(arrows.map(({ to }) => to));
    // A room that imports nothing, or that nothing imports, is in no circle.
    const left = arrows.filter(({ from, to }) => imported.has(from) && importing.has(to));
    if (left.length === arrows.length) return [...new Set(left.map(({ from, to }) => `${from} -> ${to}`))].sort();
    arrows = left;
  }
}

/** The import as it is between two neighbours in the lowest folder that both files share. */
function arrowOf({ from, to }: Import): Import[] {
  const [source, target] = [from.split('/'), to.split('/')];
  const shared = source.findIndex((part, at) => part !== target[at]);
  if (shared === -1) return [];
  return [{ from: source.slice(0, shared + 1).join('/'), to: target.slice(0, shared + 1).join('/') }];
}
