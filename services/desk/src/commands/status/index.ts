import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { serviceNames } from '../../connection/services.js';
import { addExamples } from '../../global-options.js';
import { listFailedMails, type MailService } from '../../mail/failed-mails.js';
import type { Paint } from '../../print/paint.js';
import { formatTable } from '../../print/table.js';
import { addressOf, type Session } from '../../session.js';
import { type ComponentView, checkPage, checkService } from './check.js';
import { countContent, type SiteCounts } from './count.js';

/** Adds the command `knowledge status`, which operators use. */
export function addStatus(command: Command, handle: CommandHandler): void {
  command.action(
    handle(async (session) => {
      const { addresses, runFile: run } = session.settings;
      // If no address is known, `addressOf` throws an error that says how to give one.
      if (serviceNames.every((name) => addresses[name] === undefined)) addressOf('content', session.settings);
      const [counts, mails, ...components] = await Promise.all([
        addresses.content === undefined ? undefined : countContent(session),
        failedMails(session),
        ...serviceNames.map((name) => checkService(session, name)),
        ...(['gateway', 'desk', 'mailbox'] as const).flatMap((id) =>
          run?.[id] === undefined ? [] : [checkPage(id, run[id], id === 'mailbox' ? '/' : '/readyz')],
        ),
      ]);
      const shown = components.map((each) => ({
        ...each,
        ...(each.id === 'content' && counts && { counts }),
        ...(each.id in mails && { failed_mails: mails[each.id as keyof typeof mails] }),
      }));
      if (session.print.json) session.print.list(shown, [], { one: 'part' });
      else session.print.result(shown, (all, paint) => format(all, counts, paint) + mailLines(mails));
      return shown.every(({ state }) => state === 'ready' || state === 'not_configured') ? 0 : 1;
    }),
  );
  addExamples(command, 'status', 'status --json', 'status --data-dir /var/lib/knowledge');
}

/** The failed mails of each service that sends mails; undefined if the service does not respond. */
async function failedMails(session: Session) {
  const read = (service: MailService) => listFailedMails(session, [service]).catch(() => undefined);
  const [identity, contributions] = await Promise.all([read('identity'), read('contributions')]);
  return { identity, contributions };
}

function mailLines(mails: Awaited<ReturnType<typeof failedMails>>): string {
  const lines = Object.entries(mails).flatMap(([service, failed = []]) => {
    const waiting = failed.filter(({ state }) => state === 'pending');
    const [last] = failed.filter(({ failure }) => failure === 'held').concat(waiting, failed);
    if (last === undefined) return [];
    const held = waiting.filter(({ failure }) => failure === 'held').length;
    return `\n\nMails of ${service}: ${waiting.length} wait after a failure, ${held} of them for us to repair; ${failed.length - waiting.length} given up. The mail server at ${last.response}`;
  });
  return lines.length === 0 ? '' : `${lines.join('')}\nSee: knowledge mail list`;
}

function format(components: readonly ComponentView[], counts: readonly SiteCounts[] | undefined, paint: Paint): string {
  const table = formatTable(
    components,
    [
      { header: 'part', value: (each) => each.id },
      { header: 'state', value: (each) => each.state.replace('_', ' '), isState: true },
      { header: 'address', value: (each) => each.address ?? '-' },
      { header: '', value: (each) => each.detail ?? '' },
    ],
    undefined,
    paint,
  );
  const lines = counts?.map(({ site, articles, objects }) => `${site}: ${articles} articles and ${objects} objects`);
  return lines === undefined ? table : `${table}\n\nPublished on ${lines.join(', on ')}.`;
}
