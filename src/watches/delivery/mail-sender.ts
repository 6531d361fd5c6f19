import { getCACertificates } from 'node:tls';
import { mailText } from '../../analysis/watch/chat-messages.ts';
import { isMailAllowed } from '../../analysis/watch/mail-recipients.ts';
import type { WatchMessage } from '../../analysis/watch/webhook-message.ts';
import { withoutBrackets } from '../../net/http-url.ts';
import { entryModuleUrl } from '../../program-files.ts';
import { failed, type SendResult } from './deliverer.ts';

/** Of connecting, of the greeting, and of each wait. */
const STEP_TIMEOUT_MS = 10_000;
const TOTAL_TIMEOUT_MS = 40_000;

export interface MailSettings {
  /** `smtp://` or `smtps://`, with credentials. */
  smtpUrl: string;
  from: string;
  /** Addresses and domains, `*`: any. */
  allowedTo: readonly string[];
  /** PEM certificates that are trusted in addition to Node's own. */
  extraCa: readonly string[];
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
}

/** Sends mail through the operator's server. The library is loaded with the first mail. */
export class MailSender {
  readonly #settings: MailSettings;

  constructor(settings: MailSettings) {
    this.#settings = settings;
  }

  /** One try. The Message-ID is made of the delivery's id, so that mail clients show a second copy as the same message. */
  async send(to: string, { id, message }: { id: string; message: WatchMessage }): Promise<SendResult> {
    const { from, allowedTo } = this.#settings;
    if (!isMailAllowed(to, allowedTo))
      return failed('mail to this address is not allowed here any more', { isFinal: true });
    const transport = await this.#openTransport();
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(Object.assign(new Error(), { code: 'ETIMEDOUT' })), TOTAL_TIMEOUT_MS);
    try {
      const mail = transport.sendMail({
        from,
        to: { name: '', address: to },
        ...mailText(message),
        messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
        date: message.createdAt,
        // RFC 3834: nobody answers it automatically.
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      await Promise.race([mail, late]);
      return { kind: 'received' };
    } catch (error) {
      return toFailure(error as SmtpError);
    } finally {
      clearTimeout(timer);
      transport.close();
    }
  }

  async #openTransport() {
    const library = entryModuleUrl('watches/delivery/nodemailer.ts').href;
    const { createTransport } = (await import(library)) as typeof import('./nodemailer.ts');
    const { smtpUrl, extraCa } = this.#settings;
    const url = new URL(smtpUrl);
    const isTls = url.protocol === 'smtps:';
    const user = decodeURIComponent(url.username);
    return createTransport({
      host: withoutBrackets(url.hostname),
      port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
      secure: isTls,
      ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
      // Credentials are not sent in plain text.
      requireTLS: !isTls && user !== '',
      ...(extraCa.length > 0 && { tls: { ca: [...getCACertificates('default'), ...extraCa] } }),
      connectionTimeout: STEP_TIMEOUT_MS,
      greetingTimeout: STEP_TIMEOUT_MS,
      socketTimeout: STEP_TIMEOUT_MS,
    });
  }
}

/** In our own words: the server's may hold anything. */
function toFailure({ code, command, responseCode }: SmtpError): SendResult {
  if (responseCode !== undefined) {
    const isRecipientRefused = code === 'EENVELOPE' && responseCode >= 500;
    const what =
      code === 'EAUTH'
        ? 'refused the credentials'
        : code === 'EENVELOPE'
          ? 'refused the sender or the recipient'
          : 'answered';
    return failed(`the mail server ${what} (${responseCode})`, {
      isFinal: isRecipientRefused && command === 'RCPT TO',
    });
  }
  return failed(`the mail server could not be reached or used (${code ?? 'unknown failure'})`);
}
