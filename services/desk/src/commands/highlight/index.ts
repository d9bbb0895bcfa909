import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addHighlightEdits } from './edit.js';
import { addHighlightList } from './list.js';
import { addHighlightSet } from './set.js';

/** Adds the commands `knowledge highlight …`, which editors use. */
export function addHighlightCommands(program: Command, handle: CommandHandler): void {
  const group = program.command('highlight').description("the articles that a site's editors put first");
  addHighlightSet(group, handle);
  addHighlightEdits(group, handle);
  addHighlightList(group, handle);
  addExamples(
    group,
    'highlight list --site org',
    'highlight set --site org rolling-out-sso restore-drill-with-a-stopwatch',
  );
}
