import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { addExamples } from '../../global-options.js';
import { addArticleDelete } from './delete.js';
import { addArticleExport } from './export.js';
import { addArticleImport } from './import.js';
import { addArticleList } from './list.js';
import { addArticleMoves } from './move.js';
import { addArticleShow } from './show.js';

/** `knowledge article …`, for editors. */
export function addArticleCommands(program: Command, act: Act): void {
  const group = program
    .command('article')
    .description('articles: import, list, show, publish, archive, delete, export');
  addArticleImport(group, act);
  addArticleList(group, act);
  addArticleShow(group, act);
  addArticleMoves(group, act);
  addArticleDelete(group, act);
  addArticleExport(group, act);
  addExamples(
    group,
    'article import ./articles --publish --site org',
    'article list --state draft',
    'article archive rolling-out-sso --site org',
  );
}
