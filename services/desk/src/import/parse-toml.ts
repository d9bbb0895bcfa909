import { parse, TomlError } from 'smol-toml';
import { FileProblem } from './file-problem.js';

const mostLevels = 8;

/**
 * Reads TOML. All values are text, or lists and maps of text, as in YAML.
 *
 * @throws FileProblem with the reason and the line.
 */
export function parseToml(source: string): unknown {
  try {
    return textOf(parse(source, { maxDepth: mostLevels, integersAsBigInt: true }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.replace('Invalid TOML document: ', '').split('\n');
    throw new FileProblem(`is not TOML: ${reason} (line ${error.line})`);
  }
}

function textOf(value: unknown, level = 0): unknown {
  // The parser does not count the levels of dotted names.
  if (level > mostLevels) throw new FileProblem(`is not TOML that we read: it has more than ${mostLevels} levels`);
  const inner = (each: unknown) => textOf(each, level + 1);
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each)]));
}
