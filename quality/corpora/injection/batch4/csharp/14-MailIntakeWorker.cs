using System.Diagnostics;
using MailKit;
using MailKit.Net.Imap;
using Microsoft.Extensions.Hosting;
using MimeKit;
using MySqlConnector;

namespace Claims.Intake;

public class MailIntakeWorker : BackgroundService
{
    private sealed class RejectedMail(string reason) : Exception(reason);

    private event Action<string>? SenderSeen;

    private readonly ImapClient _client;
    private readonly MySqlConnection _connection;

    public MailIntakeWorker(ImapClient client, MySqlConnection connection)
    {
        _client = client;
        _connection = connection;
        SenderSeen += name => Process.Start("/bin/sh", "-c \"logger -t intake from " + name + "\"");
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        while (!stoppingToken.IsCancellationRequested)
        {
            foreach (var summary in await _client.Inbox.FetchAsync(0, -1, MessageSummaryItems.UniqueId, stoppingToken))
            {
                var message = await _client.Inbox.GetMessageAsync(summary.UniqueId, stoppingToken);
                SenderSeen?.Invoke(message.From.Mailboxes.FirstOrDefault()?.Name ?? "nobody");
                try
                {
                    await Accept(message);
                }
                catch (RejectedMail e)
                {
                    await Execute($"INSERT INTO rejected (reason) VALUES ('{e.Message}')", null);
                }
            }
            await Task.Delay(TimeSpan.FromMinutes(1), stoppingToken);
        }
    }

    private async Task Accept(MimeMessage message)
    {
        if (!message.Subject.StartsWith("Claim", StringComparison.OrdinalIgnoreCase))
            throw new RejectedMail("unexpected subject: " + message.Subject);
        foreach (var part in message.Attachments.OfType<MimePart>())
        {
            var folder = part.ContentType.IsMimeType("image", "*") ? "photos" : "papers";
            var path = $"/var/claims/{folder}/{part.FileName}";
            await using (var output = File.Create(path))
                await part.Content.DecodeToAsync(output);
            var copy = Path.Combine("/var/claims/copies", Path.GetRandomFileName());
            await using var second = File.OpenWrite(copy);
            await part.Content.DecodeToAsync(second);
        }
        await Execute("INSERT INTO claims (message_id) VALUES (@id)", message.MessageId);
    }

    private async Task Execute(string sql, string? id)
    {
        await using var command = new MySqlCommand(sql, _connection);
        if (id is not null)
            command.Parameters.AddWithValue("@id", id);
        await command.ExecuteNonQueryAsync();
    }
}
