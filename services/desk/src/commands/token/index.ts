import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { addExamples } from '../../global-options.js';
import { addTokenIssue } from './issue.js';
import { addTokenList } from './list.js';
import { addTokenRevoke } from './revoke.js';
import { addTokenShow } from './show.js';

/** `knowledge token …`, for support. */
export function addTokenCommands(program: Command, act: Act): void {
  const group = program.command('token').description('the tokens that agents hold for a verified e-mail');
  addTokenList(group, act);
  addTokenShow(group, act);
  addTokenIssue(group, act);
  addTokenRevoke(group, act);
  addExamples(
    group,
    'token list --email ada@example.org',
    'token show ID',
    'token issue --email ada@example.org --agent reader --no-scopes',
    'token revoke ID',
  );
}
