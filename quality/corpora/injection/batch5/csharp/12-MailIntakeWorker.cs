using System.Diagnostics;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using MailKit;
using MailKit.Net.Imap;
using MimeKit;
using MySqlConnector;

namespace Claims.Intake;

public class MailIntakeWorker(ImapClient client, MySqlConnection database) : BackgroundService
{
    private const string Intake = "/srv/claims/intake";
    private static readonly Regex ClaimNumber = new(@"[A-Z]{2}-[0-9]{4,8}", RegexOptions.Compiled);

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await client.Inbox.OpenAsync(FolderAccess.ReadOnly, stoppingToken);
        for (var i = 0; i < client.Inbox.Count && !stoppingToken.IsCancellationRequested; i++)
        {
            var message = await client.Inbox.GetMessageAsync(i, stoppingToken);
            try
            {
                await Register(message);
                foreach (var part in message.Attachments.OfType<MimePart>())
                    await Save(part);
                Notify(message.Subject);
            }
            catch (FormatException e)
            {
                await Reject(e.Message);
            }
        }
    }

    private async Task Register(MimeMessage message)
    {
        var match = ClaimNumber.Match(message.Subject ?? "");
        if (!match.Success)
            throw new FormatException("No claim number in " + message.Subject);
        var sql = $"UPDATE claims SET sender = @sender WHERE number = '{match.Value}'";
        await using var command = new MySqlCommand(sql, database);
        command.Parameters.AddWithValue("@sender", message.From.ToString());
        await command.ExecuteNonQueryAsync();

        var digest = Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(message.MessageId)));
        await message.WriteToAsync(Path.Combine(Intake, digest + ".eml"));
    }

    private static async Task Save(MimePart part)
    {
        var name = part.FileName ?? part.ContentId ?? "unnamed";
        await using var stream = File.Create(Path.Combine(Intake, name));
        await part.Content.DecodeToAsync(stream);
    }

    private static void Notify(string subject)
    {
        if (!ClaimNumber.IsMatch(subject))
            return;
        Process.Start("/bin/sh", $"-c \"notify-send 'New mail' '{subject}'\"");
    }

    private async Task Reject(string reason)
    {
        await using var command = database.CreateCommand();
        command.CommandText = string.Concat("INSERT INTO rejected (reason) VALUES ('", reason, "')");
        await command.ExecuteNonQueryAsync();
    }
}
