import { type Command, Option } from 'commander';
import { type FoundMethod, findMethod, loadContract } from '../../call/contract.js';
import { readMessages } from '../../call/input.js';
import { type Invocation, invoke } from '../../call/invoke.js';
import type { CommandHandler } from '../../command-handler.js';
import { type ServiceName, serviceNames } from '../../connection/services.js';
import { UsageError } from '../../desk-error.js';
import { addExamples } from '../../global-options.js';

/** `knowledge call SERVICE/METHOD JSON`: any method of the proto files, for what has no command of its own. */
export function addCall(program: Command, handle: CommandHandler): void {
  const command = program
    .command('call')
    .description('call any method of the proto files and print its answer as JSON, of a stream one object a line')
    .argument('<method>', 'SERVICE/METHOD, for example ContentService/ListArticles')
    .argument('[request]', 'the request as JSON; - reads it from standard input', '{}')
    .addOption(new Option('--on <service>', 'whose health is asked (Health/Check)').choices(serviceNames))
    .action(
      handle(async (session, path: string, request: string, { on }: { on?: ServiceName }) => {
        const contract = loadContract();
        const found = findMethod(contract, path);
        const messages = readMessages(request, session.host.stdin);
        const invocation: Invocation = { session, contract, found, service: on ?? serviceOf(found), messages };
        await invoke(invocation);
      }),
    );
  addExamples(
    command,
    `call ContentService/ListArticles '{"site":"SITE_ORG","page_size":2}'`,
    `call QuotaAdminService/ShowSubject '{"subject":{"kind":"SUBJECT_KIND_CLIENT_ID","value":"my-agent"}}'`,
    `call EditorialService/WatchEditorial '{"after_cursor":"0"}'`,
    `call grpc.health.v1.Health/Check '{"service":"readiness"}' --on quota`,
  );
}

function serviceOf({ service }: FoundMethod): ServiceName {
  const name = serviceNames.find((each) => service.startsWith(`knowledge.${each}.`));
  if (name === undefined) throw new UsageError(`Every service has ${service}; say which one with --on.`);
  return name;
}
