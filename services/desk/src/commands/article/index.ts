import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addArticleDelete } from './delete.js';
import { addArticleDiff } from './diff.js';
import { addArticleExport } from './export.js';
import { addArticleHistory } from './history.js';
import { addArticleImport } from './import.js';
import { addArticleList } from './list.js';
import { addArticleNext } from './next/index.js';
import { addArticleRestore } from './restore.js';
import { addArticleShow } from './show.js';
import { addArticleTransitions } from './transition.js';

/** Adds the commands `knowledge article …`, which editors use. */
export function addArticleCommands(group: Command, handle: CommandHandler): void {
  addArticleImport(group, handle);
  addArticleList(group, handle);
  addArticleShow(group, handle);
  addArticleHistory(group, handle);
  addArticleDiff(group, handle);
  addArticleRestore(group, handle);
  addArticleNext(group, handle);
  addArticleTransitions(group, handle);
  addArticleDelete(group, handle);
  addArticleExport(group, handle);
  addExamples(
    group,
    'article import ./articles --publish --site org',
    'article list --state draft',
    'article archive rolling-out-sso --site org',
  );
}
