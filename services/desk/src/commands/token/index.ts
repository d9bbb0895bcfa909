import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addTokenFind } from './find-by-text.js';
import { addTokenIssue } from './issue.js';
import { addTokenList } from './list.js';
import { addTokenRevoke } from './revoke.js';
import { addTokenShow } from './show.js';

/** Adds the commands `knowledge token …`, which support uses. */
export function addTokenCommands(group: Command, handle: CommandHandler): void {
  addTokenList(group, handle);
  addTokenShow(group, handle);
  addTokenFind(group, handle);
  addTokenIssue(group, handle);
  addTokenRevoke(group, handle);
  addExamples(
    group,
    'token list --email ada@example.org',
    'token show ID',
    'token find < leaked.txt',
    'token issue --email ada@example.org --agent reader --no-scopes',
    'token revoke ID',
  );
}
