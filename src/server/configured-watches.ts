import type { Config } from '../config.ts';
import type { ReceiverRules } from '../watches/book/check-watch.ts';
import { WatchBooks } from '../watches/watch-books.ts';

/** The watches of this installation, for the processes that answer and for commands. The caller closes them. */
export function openConfiguredWatches(config: Config, onProblem: (problem: Error) => void): WatchBooks {
  return new WatchBooks({ settings: config, rules: receiverRulesOf(config), now: () => new Date(), onProblem });
}

/** Where watches of this installation may deliver to. */
export function receiverRulesOf({ allowPrivateTargets, smtpUrl, mailTo }: Config): ReceiverRules {
  return { allowedPrivate: allowPrivateTargets, mailTo: smtpUrl === null ? null : mailTo };
}
