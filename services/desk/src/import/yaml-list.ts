import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../desk-error.js';
import { FileProblem } from './file-problem.js';
import { parseYaml } from './parse-yaml.js';

/** The largest file that is read, in bytes. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Reads a YAML file that is a list of entries with fields. All values are text, or lists and maps of text.
 *
 * @throws UsageError if the file cannot be read, or is no such list.
 */
export function readYamlList(cwd: string, file: string): readonly Readonly<Record<string, unknown>>[] {
  const list = parse(readText(resolve(cwd, file), file), file);
  if (!Array.isArray(list) || !list.every(isEntry)) {
    throw new UsageError(`${file} must be a YAML list of entries like "- words: [SSO, single sign-on]".`);
  }
  return list;
}

function readText(path: string, file: string): string {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > maxBytes) throw new UsageError(`${file} is larger than ${maxBytes / 1024 / 1024} MiB.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = error instanceof TypeError ? 'it is not UTF-8' : (error as NodeJS.ErrnoException).code;
    throw new UsageError(`${file} cannot be read (${reason}).`);
  }
}

function parse(source: string, file: string): unknown {
  try {
    return parseYaml(source);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    throw new UsageError(`${file} ${error.message}.`);
  }
}

function isEntry(entry: unknown): entry is Readonly<Record<string, unknown>> {
  return typeof entry === 'object' && entry !== null && !Array.isArray(entry);
}
