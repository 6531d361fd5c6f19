using System.Diagnostics;
using System.Text;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddSingleton<GitGateway>();
var app = builder.Build();

app.MapGet("/log", (string revision, GitGateway git) => git.Log(revision));
app.MapGet("/file-log", (string file, GitGateway git) => git.FileLog(file));
app.MapGet("/compare", (string? tool, GitGateway git) => git.Compare(tool));
app.MapGet("/stats", (string kind, GitGateway git) => git.Stats(kind));
app.MapPost("/notes", async (HttpRequest request, GitGateway git) =>
{
    var form = await request.ReadFormAsync();
    return git.AddNote(form["text"].ToString());
});
app.Run();

public class GitGateway
{
    private const string WorkTree = "/srv/git/site";

    public string Log(string revision)
    {
        var info = new ProcessStartInfo("git") { WorkingDirectory = WorkTree, RedirectStandardOutput = true };
        foreach (var argument in new[] { "log", "--oneline", "-n", "50", revision })
            info.ArgumentList.Add(argument);
        return Output(Process.Start(info)!);
    }

    public string FileLog(string file)
    {
        var info = new ProcessStartInfo("git") { WorkingDirectory = WorkTree, RedirectStandardOutput = true };
        foreach (var argument in new[] { "log", "--oneline", "-n", "50", "HEAD", "--", file })
            info.ArgumentList.Add(argument);
        return Output(Process.Start(info)!);
    }

    public string Compare(string? tool)
    {
        var info = new ProcessStartInfo
        {
            FileName = string.IsNullOrWhiteSpace(tool) ? "diff" : tool,
            Arguments = "-r /srv/git/site /srv/www/site",
            RedirectStandardOutput = true,
        };
        return Output(Process.Start(info)!);
    }

    public string Stats(string kind)
    {
        var arguments = kind switch
        {
            "authors" => "shortlog -sn HEAD",
            "objects" => "count-objects -v",
            _ => "rev-list --count HEAD",
        };
        var info = new ProcessStartInfo("git", arguments) { WorkingDirectory = WorkTree, RedirectStandardOutput = true };
        return Output(Process.Start(info)!);
    }

    public string AddNote(string text)
    {
        var command = new StringBuilder("cd ").Append(WorkTree).Append(" && git notes append -m \"");
        command.Append(text.Replace("\"", "")).Append('"');
        var info = new ProcessStartInfo("/bin/bash") { RedirectStandardOutput = true };
        info.ArgumentList.Add("-c");
        info.ArgumentList.Add(command.ToString());
        return Output(Process.Start(info)!);
    }

    private static string Output(Process process)
    {
        using (process)
            return process.StandardOutput.ReadToEnd();
    }
}
