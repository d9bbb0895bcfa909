import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addHighlightEdits } from './edit.js';
import { addHighlightList } from './list.js';
import { addHighlightSet } from './set.js';

/** Adds the commands `knowledge highlight …`, which editors use. */
export function addHighlightCommands(group: Command, handle: CommandHandler): void {
  addHighlightSet(group, handle);
  addHighlightEdits(group, handle);
  addHighlightList(group, handle);
  addExamples(
    group,
    'highlight list --site org',
    'highlight set --site org rolling-out-sso restore-drill-with-a-stopwatch',
  );
}
