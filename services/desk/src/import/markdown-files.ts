import { readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { UsageError } from '../desk-error.js';

export interface MarkdownFile {
  readonly path: string;
  /** The path relative to the given directory, for messages. */
  readonly name: string;
}

/**
 * Lists every Markdown file (`.md`, `.markdown`, `.mdx`) below a directory, sorted by name. Skips hidden files, hidden directories and `node_modules`,
 * and does not follow links to directories.
 *
 * @throws UsageError if the directory cannot be read.
 */
export function findMarkdownFiles(cwd: string, directory: string): MarkdownFile[] {
  const root = resolve(cwd, directory);
  try {
    if (!statSync(root).isDirectory()) throw new UsageError(`${directory} is not a directory.`);
    return [...walk(root)].sort().map((path) => ({ path, name: relative(root, path) }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof UsageError || code === undefined) throw error;
    throw new UsageError(`${directory} cannot be read (${code}).`);
  }
}

function* walk(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (/\.(?:md|mdx|markdown)$/i.test(entry.name) && (entry.isFile() || isFile(path))) yield path;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
