import * as z from "zod";
import { endpoint } from "../http/contract.ts";

export const User = z
  .object({
    id: z.string(),
    email: z.email(),
    avatar_url: z.string().nullable(),
    campaign_email: z.string().nullable(),
    discord_userid: z.string().nullable(),
    discord_username: z.string().nullable(),
    full_name: z.string().nullable(),
    invited_by: z.string().nullable(),
    personal_code: z.string().nullable(),
    telegram_handle: z.string().nullable(),
    updated_at: z.string().nullable(),
    username: z.string().nullable(),
    wallet: z.string().nullable(),
    website: z.string().nullable(),
    x_handle: z.string().nullable(),
    total_points_done: z.boolean(),
    hasMachineId: z.boolean().optional(),
  })
  .meta({ id: "User" });
export type User = z.infer<typeof User>;

export const readUser = endpoint({
  method: "GET",
  path: "/api/user",
  service: "main",
  access: "member",
  summary: "The signed-in member",
  response: User,
});
