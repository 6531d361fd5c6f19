using System.Diagnostics;
using System.Linq;
using MailKit;
using MailKit.Net.Imap;
using MailKit.Search;

namespace Mail.Watch;

public static class MailWatcher
{
    private static string Single(string s) => "'" + s.Replace("'", "'\\''") + "'";

    private static void Shell(string line)
    {
        var info = new ProcessStartInfo("/bin/sh");
        info.ArgumentList.Add("-c");
        info.ArgumentList.Add(line);
        Process.Start(info)!.WaitForExit();
    }

    private static void Record(string sender)
    {
        var info = new ProcessStartInfo("/bin/sh");
        info.ArgumentList.Add("-c");
        info.ArgumentList.Add("logger -t mail -- " + Single(sender));
        Process.Start(info)!.WaitForExit();
    }

    public static void Main()
    {
        using var client = new ImapClient();
        client.Connect("imap.example.com", 993, true);
        client.Authenticate("watch", System.Environment.GetEnvironmentVariable("IMAP_PASSWORD"));
        client.Inbox.Open(FolderAccess.ReadOnly);
        foreach (var uid in client.Inbox.Search(SearchQuery.NotSeen))
        {
            var message = client.Inbox.GetMessage(uid);
            Record(message.From.Mailboxes.First().Address);
            Shell("notify-send \"New mail\" \"" + message.Subject + "\"");
        }
    }
}
