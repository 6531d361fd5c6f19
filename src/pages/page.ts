import type { z } from 'zod';
import type { ApiError } from '../errors.ts';
import type { Operation } from '../engine/operation.ts';
import type { Verdict } from '../engine/evidence.ts';
import type { AssetName } from './assets.ts';
import type { Html } from './html.ts';

/** A page of the site. Each is one file, named as the page, and listed in `list.ts`. */
export interface Page {
  /** `/cve/:id`; `*name` at the end takes the rest of the path. */
  readonly path: string;
  /** Default: GET. */
  readonly methods?: readonly ('GET' | 'POST')[];
  /** The question that this page is about: clients that prefer JSON get its answer. Throws `ApiError` for a bad path or query. */
  question?(request: PageRequest): Question;
  /** For pages that are free: how long one that was made without a charge may be shown again, to anyone. */
  readonly keptMs?: number;
  /** Throws `ApiError`; the error page then says what was wrong and what would be right. */
  render(request: PageRequest, context: PageContext): PageContent | Promise<PageContent>;
}

/** A request for a page. All values are the caller's words. */
export interface PageRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, as requested. */
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Fields of a submitted form; null for GET. */
  readonly form: FormData | null;
  /** Where this service is reached: `https://host`, for commands to copy and previews. */
  readonly origin: string;
  /** Shown above the content: why the reader is no longer signed in. */
  readonly notice: string | null;
}

/** An operation and its input. */
export interface Question<Out extends z.ZodObject = z.ZodObject> {
  readonly operation: Operation<z.ZodObject, Out>;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A question that was answered, for the foot of the page. */
export interface Answered {
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>>;
  /** Null for operations without one. */
  readonly verdict: Verdict | null;
}

/** An answer, or why there is none: a part of a page says so and the rest of the page stands. */
export type Outcome<T> =
  | { readonly answer: T; readonly error: null }
  | { readonly answer: null; readonly error: ApiError };

/** Asks an operation. Throws `ApiError`. */
type Ask = <In extends z.ZodObject, Out extends z.ZodObject>(
  operation: Operation<In, Out>,
  input: z.input<In>,
) => Promise<z.output<Out>>;
/** The same where a failure leaves the rest of the page useful. Errors that are faults of this service are logged. */
type TryAsk = <In extends z.ZodObject, Out extends z.ZodObject>(
  operation: Operation<In, Out>,
  input: z.input<In>,
) => Promise<Outcome<z.output<Out>>>;

/** What a page may use while it is rendered. */
export interface PageContext {
  readonly now: Date;
  /** The operations of this service, for pages about them. */
  readonly operations: readonly Operation[];
  /** The caller is charged for it. */
  readonly ask: Ask;
  readonly tryAsk: TryAsk;
  /** Asks by the caller of an API key that was typed into a form. Throws `ApiError` 401 for a key that is not valid. */
  askWithKey<In extends z.ZodObject, Out extends z.ZodObject>(
    key: string,
    operation: Operation<In, Out>,
    input: z.input<In>,
  ): Promise<z.output<Out>>;
  /** Beside the main question of a page, without a charge: only operations that are answered from the catalog. */
  readonly askCatalog: Ask;
  readonly tryAskCatalog: TryAsk;
}

/** What a page answers with. */
export type PageContent = PageDocument | PageRedirect | PageFile;

/** A page without its frame. */
export interface PageDocument {
  /** Default: 200. */
  readonly status?: number;
  /** Of the browser's tab and of previews. */
  readonly title: string;
  /** The verdict in a sentence, for previews. */
  readonly description: string;
  readonly main: Html;
  /** Parts that come later, in any order; shown below `main` in the order given here. */
  readonly parts?: readonly LatePart[];
  /** Scripts of this page beside that of all pages. The page works without them. */
  readonly scripts?: readonly AssetName[];
  /** Path of a feed of the same, for readers of feeds. */
  readonly feed?: string;
  /** Path of the picture for previews. */
  readonly picture?: string;
  /** True where the input is what somebody pasted: the foot then does not repeat it as a command. */
  readonly hidesInput?: boolean;
  /** Further response headers, e.g. `set-cookie`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends the browser elsewhere, with status 303. */
export interface PageRedirect {
  /** A path of this service. */
  readonly redirectTo: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Text of another type than a page, to save or to subscribe to: CSV, SARIF, Atom. */
export interface PageFile {
  readonly file: { readonly type: string; readonly name: string | null; readonly body: string };
  readonly headers?: Readonly<Record<string, string>>;
}

/** A part of a page that is still being worked out when the page is sent. */
export interface LatePart {
  /** Anchor of the section, unique on the page. */
  readonly id: string;
  /** Shown until it comes: what is being asked. */
  readonly waiting: Html;
  /** Class of the box that it shares with the parts beside it of the same box; default: it stands alone. */
  readonly box?: string;
  /** A section without its `<section>`. */
  readonly content: Promise<Html>;
}

/** Gives a page its types. */
export function definePage(page: Page): Page {
  return page;
}
