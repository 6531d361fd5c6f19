using System.Diagnostics;
using Microsoft.AspNetCore.SignalR;

namespace Surveillance.Server.Hubs;

public enum PanDirection { Left, Right, Up, Down }

public class CameraHub : Hub
{
    private const string Archive = "/srv/cameras";
    private readonly ILogger<CameraHub> _logger;

    public CameraHub(ILogger<CameraHub> logger) => _logger = logger;

    public override Task OnConnectedAsync()
    {
        var query = Context.GetHttpContext()!.Request.Query;
        Context.Items["folder"] = query["folder"].ToString();
        Context.Items["viewer"] = query["viewer"].ToString();
        return base.OnConnectedAsync();
    }

    public async Task<string> Snapshot(string cameraUrl)
    {
        if (!Uri.TryCreate(cameraUrl, UriKind.Absolute, out var uri) || uri.Scheme != "rtsp")
            throw new HubException("Unsupported camera address");
        var target = Guid.NewGuid().ToString("N") + ".jpg";
        var psi = new ProcessStartInfo("ffmpeg") { WorkingDirectory = Archive };
        foreach (var argument in new[] { "-y", "-i", uri.AbsoluteUri, "-frames:v", "1", target })
            psi.ArgumentList.Add(argument);
        await Run(Process.Start(psi)!);
        return target;
    }

    public async Task Clip(string camera, int seconds)
    {
        var psi = new ProcessStartInfo("/bin/sh")
        {
            Arguments = $"-c \"record-clip --camera {Quote(camera)} --seconds {seconds}\"",
        };
        await Run(Process.Start(psi)!);
    }

    public async Task Pan(string camera, string direction, int steps)
    {
        if (!Guid.TryParse(camera, out var id) || !Enum.TryParse<PanDirection>(direction, true, out var pan))
            throw new HubException("Invalid request");
        var line = $"-c \"ptz {id:D} --move {pan} --steps {steps} >> /var/log/ptz.log\"";
        await Run(Process.Start("/bin/bash", line));
    }

    public async Task<string[]> Bookmarks()
    {
        var folder = (string)Context.Items["folder"]!;
        return await File.ReadAllLinesAsync(Path.Combine(Archive, folder, "..", "bookmarks", Viewer()));
    }

    public async Task Share(string[] recipients)
    {
        var command = new List<string> { "send-link" };
        command.AddRange(recipients.Where(r => r.Contains('@')).Select(r => r.Trim()));
        var info = new ProcessStartInfo("cmd.exe", "/c " + string.Join(' ', command));
        await Run(Process.Start(info)!);
    }

    private string Viewer() => Context.Items["viewer"] as string ?? "default";

    private static string Quote(string value) => "'" + value.Replace("\"", "") + "'";

    private async Task Run(Process process)
    {
        await process.WaitForExitAsync(Context.ConnectionAborted);
        _logger.LogInformation("Exit code {Code}", process.ExitCode);
    }
}
