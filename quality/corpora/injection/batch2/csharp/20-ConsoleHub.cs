using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;
using Dapper;
using MailKit.Net.Imap;
using Microsoft.AspNetCore.SignalR;
using Microsoft.Data.Sqlite;
using MimeKit;

public class ConsoleHub : Hub
{
    private readonly SqliteConnection _db = new("Data Source=/srv/console.db");

    public async Task Find(string text)
    {
        var rows = await _db.QueryAsync("SELECT line FROM history WHERE line LIKE '%" + text + "%'");
        await Clients.Caller.SendAsync("rows", rows);
    }

    public async Task Trace(string host)
    {
        var p = Process.Start(new ProcessStartInfo("bash", $"-c \"traceroute {host}\"") { RedirectStandardOutput = true });
        await Clients.Caller.SendAsync("trace", await p.StandardOutput.ReadToEndAsync());
    }
}

public class MailIntake
{
    private const string Store = "/srv/intake";

    public void Take(ImapClient client)
    {
        for (int i = 0; i < client.Inbox.Count; i++)
        {
            MimeMessage message = client.Inbox.GetMessage(i);
            foreach (var part in message.Attachments)
            {
                var name = part.ContentDisposition.FileName;
                using var all = File.Create(Path.Combine(Store, name));
                part.WriteTo(all);
                using var copy = File.Create(Path.Combine(Store, "copies", i + ".eml"));
                part.WriteTo(copy);
            }
        }
    }
}
