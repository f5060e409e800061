import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  Response,
  TestType,
} from '@playwright/test';
import type { Dashboard } from './dashboard.js';
import type { Host } from './host.js';
import type { Service } from './service.js';

/** The user and parameters for opening a page: a user of a company, parameters of the URL, another application than the first. */
interface Opening {
  user?: string;
  role?: string;
  roleId?: string;
  properties?: Record<string, unknown>;
  parameters?: Record<string, string | undefined>;
  application?: string;
}

/** The fixtures of every test. */
export interface Fixtures {
  allowedErrors: RegExp[];
  host: Host;
  service: Service;
  errors: string[];
  open(company: string, opening?: Opening): Promise<Dashboard & { response: Response | null }>;
}

/** A `test` with all fixtures and more. TypeScript cannot infer them from the argument of `extend`. */
export type TestWith<More = object> = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & PlaywrightWorkerArgs & PlaywrightWorkerOptions & Omit<Fixtures, keyof More> & More,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
>;
