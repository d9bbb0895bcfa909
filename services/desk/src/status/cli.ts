import { HealthCheckResponse_ServingStatus, HealthService } from '@knowledge/proto/grpc/health/v1/health';
import { ContentServiceService, ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { KnowledgeError } from '@knowledge/runtime/client';
import { outageReason } from '../base/failure.js';
import { type ServiceName, serviceNames } from '../base/services.js';
import { addressOf, callsOf, type Session } from '../base/session.js';
import { formatTable } from '../base/table.js';
import { type Paint, words } from '../base/text.js';
import { sites } from '../base/words.js';
import { listFailedMails, type MailService } from '../people/failed-mails.js';
import { command } from '../terminal/command-table.js';

const timeoutMs = 1500;
const content = callsOf('content', ContentServiceService, { deadlineMs: timeoutMs });

/** `knowledge status`, for operators. */
export const status = command({
  run: async (session) => {
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
    if (session.print.json) session.print.list(shown, {}, { one: 'part' });
    else session.print.result(shown, (all, paint) => format(all, counts, paint) + mailLines(mails));
    return shown.every(({ state }) => state === 'ready' || state === 'not_configured') ? 0 : 1;
  },
  examples: ['status', 'status --json', 'status --data-dir /var/lib/knowledge'],
});

interface ComponentView {
  readonly id: string;
  /** `not_ready`: the process runs, but does not work, for example because its database does not respond. */
  readonly state: 'ready' | 'not_ready' | 'down' | 'not_configured';
  readonly address: string | null;
  readonly detail?: string;
}

/** Checks by `grpc.health.v1` whether a service is ready. */
async function checkService(session: Session, name: ServiceName): Promise<ComponentView> {
  const address = session.settings.addresses[name];
  if (address === undefined) return { id: name, state: 'not_configured', address: null };
  const health = session.connect(name, HealthService, { deadlineMs: timeoutMs });
  try {
    const { status } = await health.check({ service: 'readiness' }, session.callContext());
    if (status === HealthCheckResponse_ServingStatus.SERVING) return { id: name, state: 'ready', address };
    const detail = 'it runs, but something that it needs, such as its database, does not answer';
    return { id: name, state: 'not_ready', address, detail };
  } catch (error) {
    return { id: name, state: 'down', address, detail: reasonOf(error) };
  }
}

/** Checks whether a page responds over HTTP. */
async function checkPage(id: string, url: string, path: string): Promise<ComponentView> {
  try {
    const response = await fetch(new URL(path, url), { signal: AbortSignal.timeout(timeoutMs) });
    await response.body?.cancel();
    if (response.ok) return { id, state: 'ready', address: url };
    return { id, state: 'not_ready', address: url, detail: `${path} answers ${response.status}` };
  } catch (error) {
    return { id, state: 'down', address: url, detail: reasonOf(error) };
  }
}

function reasonOf(error: unknown) {
  // The function fetch puts the socket error into `cause`.
  const { code } = ((error as Error).cause ?? error) as { code?: unknown };
  if (typeof code === 'string') return outageReason({ details: code }) ?? code;
  if (error instanceof KnowledgeError) return outageReason(error.cause) ?? error.message;
  return (error as Error).name === 'TimeoutError' ? 'no answer in time' : (error as Error).message;
}

type SiteCounts = Awaited<ReturnType<typeof countContent>>;

/** Counts what each site publishes; undefined if the content service does not respond. */
async function countContent(session: Session) {
  const page = { pageSize: 1, pageToken: '' };
  try {
    return await Promise.all(
      sites.words.map(async (word) => {
        const site = sites.toWire(word);
        const [articles, objects] = await Promise.all([
          content(session).listArticles({ site, query: '', tag: '', updatedSince: undefined, ...page }),
          content(session).listObjects({ site, kind: ObjectKind.UNSPECIFIED, ...page }),
        ]);
        return { site: word, articles: articles.total ?? 0, objects: objects.total };
      }),
    );
  } catch {
    return undefined;
  }
}

/** The failed mails of each service that sends mails; undefined if the service does not respond. */
async function failedMails(session: Session) {
  const read = (service: MailService) => listFailedMails(session, [service]).catch(() => undefined);
  const [identity, contributions] = await Promise.all([read('identity'), read('contributions')]);
  return { identity, contributions };
}

function mailLines(mails: Awaited<ReturnType<typeof failedMails>>) {
  const lines = Object.entries(mails).flatMap(([service, failed = []]) => {
    const waiting = failed.filter(({ state }) => state === 'pending');
    const [last] = failed.filter(({ failure }) => failure === 'held').concat(waiting, failed);
    if (last === undefined) return [];
    const held = waiting.filter(({ failure }) => failure === 'held').length;
    return `\n\nMails of ${service}: ${waiting.length} wait after a failure, ${held} of them for us to repair; ${failed.length - waiting.length} given up. The mail server at ${last.response}`;
  });
  return lines.length === 0 ? '' : `${lines.join('')}\nSee: knowledge mail list`;
}

function format(components: readonly ComponentView[], counts: SiteCounts, paint: Paint) {
  const table = formatTable(
    components,
    {
      part: 'id',
      state: { value: ({ state }) => words(state), isState: true },
      address: 'address',
      '': (each) => each.detail ?? '',
    },
    undefined,
    paint,
  );
  const lines = counts?.map(({ site, articles, objects }) => `${site}: ${articles} articles and ${objects} objects`);
  return lines === undefined ? table : `${table}\n\nPublished on ${lines.join(', on ')}.`;
}
