import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { addExamples } from '../../global-options.js';
import { addHighlightEdits } from './edit.js';
import { addHighlightList } from './list.js';
import { addHighlightSet } from './set.js';

/** `knowledge highlight …`, for editors. */
export function addHighlightCommands(program: Command, act: Act): void {
  const group = program.command('highlight').description("the articles that a site's editors put first");
  addHighlightSet(group, act);
  addHighlightEdits(group, act);
  addHighlightList(group, act);
  addExamples(
    group,
    'highlight list --site org',
    'highlight set --site org rolling-out-sso restore-drill-with-a-stopwatch',
  );
}
