import { FAILSAFE_SCHEMA, load, nullCoreTag, YAMLException } from 'js-yaml';
import { FileProblem } from './file-problem.js';

const schema = FAILSAFE_SCHEMA.withTags(nullCoreTag);

/**
 * Reads YAML in linear time. All values are text, or lists and maps of text, so that `NO` and `2026` stay what they look
 * like.
 *
 * @throws FileProblem with the reason and the line.
 */
export function parseYaml(source: string): unknown {
  try {
    // Only before a line break does the parser say of an open quote where it stopped.
    return load(`${source}\n`, { schema, maxDepth: 8 });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark === undefined ? '' : ` (line ${lineOf(error.reason, source, error.mark.line) + 1})`;
    throw new FileProblem(`is not YAML: ${error.reason.slice(0, 200)}${line}`);
  }
}

// An open quote or bracket is noticed at the next field, so the fault is in the field before it.
function lineOf(reason: string, source: string, line: number): number {
  if (reason !== 'deficient indentation') return line;
  const before = source.split('\n', line);
  return before.findLastIndex((each) => /^\S/.test(each));
}
