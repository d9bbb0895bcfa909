import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  ArticleDraftServiceService,
  type PutArticleDraftRequest,
  type PutArticleDraftResponse,
} from '@knowledge/proto/knowledge/content/v1/article_drafts';
import { PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { hasCode } from '@knowledge/runtime/client';
import type { Command } from 'commander';
import { Option } from 'commander';
import { readCorrection, reasonOf } from '../../../actions/article/correction.js';
import type { ArticleDraftClient } from '../../../actions/article/draft-client.js';
import { putDraft } from '../../../actions/article/put-draft.js';
import { toNextRevision } from '../../../actions/article/read-draft.js';
import { presentDraft } from '../../../article/present-draft.js';
import type { CommandHandler } from '../../../command-handler.js';
import { DeskError, UsageError } from '../../../desk-error.js';
import { addExamples } from '../../../global-options.js';
import { importLimits } from '../../../import/import-limits.js';
import { parseCount, reasonOption, siteOption } from '../../../options.js';
import type { Session } from '../../../session.js';
import { enumWords } from '../../../words.js';
import { findContributionId } from '../../review/find.js';

interface Options {
  site?: string;
  base?: number;
  overwrite?: boolean;
  dryRun?: boolean;
  reason: string;
  fromInquiry?: string;
}

export function addNextPut(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('put')
    .description(
      'make a file of "article export" or "article next show --markdown" the draft; safe to repeat. Its revision is the ' +
        'one on which the text is based, and its draft_revision keeps the work of others from being overwritten',
    )
    .argument('<file>', 'a Markdown file with front matter, as "article import" reads it')
    .addOption(siteOption('the site, if the file does not name it'))
    .addOption(
      new Option('--base <n>', 'the revision on which the text is based, after a comparison').argParser(parseCount),
    )
    .option('--overwrite', 'overwrite the draft that is there, whatever its revision')
    .option('--dry-run', 'check the file, and write nothing')
    .addOption(reasonOption())
    .addOption(
      new Option('--from-inquiry <id>', 'the inquiry whose correction it brings in; becomes the reason').conflicts(
        'reason',
      ),
    )
    .action(
      handle(async (session, path: string, options: Options) => {
        const drafts = session.connect('content', ArticleDraftServiceService, importLimits);
        const file = await readDraftFile(session, path, options);
        const request = { ...file, reason: await reasonFor(session, file, options) };
        const { draft, outcome } = await putOrExplain(session, drafts, request, options.overwrite);
        const { draft: notice, body: _, ...facts } = presentDraft(toNextRevision(draft));
        const view = { ...facts, draft: notice, outcome: outcomes.fromWire(outcome) };
        session.print.result(view, () => {
          const what = `The draft of the next revision of ${view.slug} on ${view.site}`;
          if (options.dryRun === true) return `${what} would be ${view.outcome}.`;
          return `${what} is ${view.outcome}; it has revision ${notice.revision}.`;
        });
      }),
    );
  addExamples(
    command,
    'article next put ./export/org/rolling-out-sso.md',
    'article next put rolling-out-sso.md --from-inquiry 0d1f6c52',
    'article next put rolling-out-sso.md --base 4 --reason "brought to the new revision"',
  );
}

async function readDraftFile(session: Session, path: string, options: Options): Promise<PutArticleDraftRequest> {
  const { readArticleFile } = await import('../../../article/article-file.js');
  const { site, base, overwrite = false, dryRun = false, reason } = options;
  const { article, revision, draftRevision } = await readArticleFile(readFile(session, path), path, site);
  const baseRevision = base ?? revision;
  if (baseRevision === 0) {
    throw new UsageError(
      `${path} does not say on which revision its text is based: give --base, or "revision" in the file.`,
    );
  }
  return { ...article, baseRevision, expectedRevision: overwrite ? 0 : draftRevision, reason, validateOnly: dryRun };
}

async function reasonFor(session: Session, article: PutArticleDraftRequest, options: Options): Promise<string> {
  const { fromInquiry, reason } = options;
  if (fromInquiry === undefined) return reason;
  const moderation = session.connect('contributions', ModerationServiceService);
  const id = await findContributionId(session, moderation, fromInquiry);
  return reasonOf(await readCorrection(moderation, session, id, article));
}

function readFile({ host }: Session, path: string): Uint8Array {
  try {
    return readFileSync(resolve(host.cwd, path));
  } catch (error) {
    throw new UsageError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

async function putOrExplain(
  session: Session,
  drafts: ArticleDraftClient,
  request: PutArticleDraftRequest,
  overwrite = false,
): Promise<PutArticleDraftResponse> {
  if (overwrite) return drafts.putArticleDraft(request, session.callContext());
  try {
    return await putDraft(drafts, session, request);
  } catch (error) {
    if (!hasCode(error, 'invalid_state') || request.expectedRevision > 0) throw error;
    const what = error instanceof Error ? error.message : '';
    const how = `Bring your change to "knowledge article next show ${request.slug} --markdown", or overwrite it with --overwrite.`;
    throw new DeskError('invalid_state', `${what} ${how}`, { cause: error });
  }
}

const outcomes = enumWords(PutOutcome);
