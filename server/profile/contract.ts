import * as z from "zod";
import { EMAIL_FORM, endpoint } from "../http/contract.ts";
import { AvatarUrl, DiscordUsername, FullName, TelegramHandle, Username, Website, XHandle } from "./handles.ts";

export const User = z
  .object({
    id: z.string(),
    email: z.email(EMAIL_FORM),
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
    /** When the account will be deleted unless its member keeps it. Absent otherwise, and with other backends. */
    deletion_due_at: z.iso.datetime().optional(),
    /** Whether one of their machines has a key. Absent otherwise, and with other backends. */
    has_node_key: z.boolean().optional(),
  })
  .meta({ id: "User" });
export type User = z.infer<typeof User>;

/** The profile that a member sends. A field that is left out or empty is removed. */
export const ProfileInput = z.object({
  full_name: FullName,
  username: Username,
  discord_username: DiscordUsername,
  telegram_handle: TelegramHandle,
  x_handle: XHandle,
  website: Website,
  avatar_url: AvatarUrl,
});
export type ProfileInput = z.infer<typeof ProfileInput>;

/** The profile as it is kept. */
export const Profile = User.pick({
  full_name: true,
  username: true,
  discord_username: true,
  telegram_handle: true,
  x_handle: true,
  website: true,
  avatar_url: true,
  updated_at: true,
}).meta({ id: "Profile" });
export type Profile = z.infer<typeof Profile>;

export const readProfile = endpoint("GET /api/users/profile", {
  summary: "The member's profile",
  mayLag: true,
  response: Profile,
});

export const updateProfile = endpoint("POST /api/users/profile", {
  summary: "Replace the member's profile",
  // So that a profile that was read can be sent back unchanged.
  body: ProfileInput.extend({ updated_at: z.string().max(64).nullish() })
    .strict()
    .meta({
      description:
        "A field that is left out, empty or null is removed. Unknown fields are refused. `updated_at` changes nothing.",
    }),
  response: User,
});

export const readUser = endpoint("GET /api/user", {
  summary: "The signed-in member",
  mayLag: true,
  response: User,
});
