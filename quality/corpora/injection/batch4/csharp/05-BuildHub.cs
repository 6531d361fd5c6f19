using System.Diagnostics;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.SignalR;

namespace Pipeline.Server.Hubs;

public class BuildHub : Hub
{
    private static readonly Regex BranchName = new(@"\A[A-Za-z0-9_][A-Za-z0-9_/-]{0,80}\z", RegexOptions.Compiled);
    private static readonly Regex TagName = new(@"v\d+\.\d+", RegexOptions.Compiled);

    public override Task OnConnectedAsync()
    {
        var http = Context.GetHttpContext();
        Context.Items["client"] = http?.Request.Query["client"].ToString() ?? "unknown";
        return base.OnConnectedAsync();
    }

    public async Task Tail(string job, int lines)
    {
        var info = new ProcessStartInfo("/bin/sh", $"-c \"tail -n {lines} /var/log/builds/{job}.log\"")
        {
            RedirectStandardOutput = true,
        };
        using var process = Process.Start(info)!;
        await Clients.Caller.SendAsync("log", await process.StandardOutput.ReadToEndAsync());
    }

    public async Task Checkout(string branch)
    {
        if (!BranchName.IsMatch(branch))
            throw new HubException("Unknown branch");
        using var process = Process.Start("/bin/sh", $"-c \"cd /srv/build && git checkout {branch}\"");
        await process.WaitForExitAsync();
    }

    public async Task Announce()
    {
        var client = (string)Context.Items["client"]!;
        using var process = Process.Start("bash", "-c \"echo build requested by " + client + " | wall\"");
        await process.WaitForExitAsync();
    }

    public async Task Prune(int megabytes)
    {
        using var process = Process.Start("/usr/bin/buildctl", "prune --keep-storage " + megabytes);
        await process.WaitForExitAsync();
    }

    public async Task Release(string tag)
    {
        if (!TagName.IsMatch(tag))
            throw new HubException("Not a release tag");
        var info = new ProcessStartInfo("/bin/bash");
        info.ArgumentList.Add("-c");
        info.ArgumentList.Add($"cd /srv/build && ./release.sh {tag} >> release.log");
        using var process = Process.Start(info);
        await process!.WaitForExitAsync();
    }
}
