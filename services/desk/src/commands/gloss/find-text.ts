import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { PutGlossRequest } from '@knowledge/proto/knowledge/content/v1/search';
import type { Command } from 'commander';
import { findArticle } from '../../actions/article/find-article.js';
import { siteOption } from '../../options.js';
import { requireField } from '../../present/require-field.js';
import type { Session } from '../../session.js';
import { findObjectId } from '../object/find.js';

/** How the command line names the text of a gloss. */
export interface TextOptions {
  readonly site?: string;
  readonly object?: boolean;
}

/** Adds the options that say which text is meant. */
export function addTextOptions(command: Command): Command {
  return command
    .addOption(siteOption('the site of the article; needed only where both sites have the slug'))
    .option('--object', 'the text is an object of the catalog, named by its id or the first characters of it');
}

/** Finds the article with this slug, or the object with this id or its beginning. */
export async function findText(
  session: Session,
  word: string,
  { site, object = false }: TextOptions,
): Promise<NonNullable<PutGlossRequest['text']>> {
  if (object) {
    const content = session.connect('content', ContentServiceService);
    return { $case: 'objectId', value: await findObjectId(session, content, word) };
  }
  const editorial = session.connect('content', EditorialServiceService);
  const { entry } = await findArticle(editorial, session, word, site);
  return { $case: 'article', value: { site: requireField(entry).site, slug: word } };
}

export const textHelp = "the article's name in URLs; with --object the object's id";
