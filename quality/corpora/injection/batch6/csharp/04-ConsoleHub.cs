using System;
using System.Diagnostics;
using System.Net;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.SignalR;

namespace Ops.Console
{
    public enum ServiceAction
    {
        Start,
        Stop,
        Status,
    }

    [Authorize]
    public class ConsoleHub : Hub
    {
        private const string Shell = "/bin/bash";

        public async Task Ping(string host)
        {
            var info = new ProcessStartInfo
            {
                FileName = Shell,
                Arguments = $"-c \"ping -c 3 {host}\"",
                RedirectStandardOutput = true,
                UseShellExecute = false,
            };
            using var process = Process.Start(info);
            await Clients.Caller.SendAsync("output", await process.StandardOutput.ReadToEndAsync());
        }

        public async Task Trace(string host)
        {
            if (!IPAddress.TryParse(host, out var address))
            {
                await Clients.Caller.SendAsync("failed", "not an address");
                return;
            }
            await RunAsync("traceroute -n " + address.MapToIPv4() + " 2>&1 | tail -n +2");
        }

        public Task Service(string action)
        {
            if (!Enum.TryParse<ServiceAction>(action, true, out var parsed) || !Enum.IsDefined(parsed))
            {
                throw new HubException("unknown action");
            }
            return RunAsync($"systemctl {parsed.ToString().ToLowerInvariant()} worker | head -n 20");
        }

        public async Task Find(string text)
        {
            var pattern = text.Replace("\"", string.Empty);
            await RunAsync("grep -rn \"" + pattern + "\" /etc/worker | head -n 50");
        }

        private async Task RunAsync(string line)
        {
            var info = new ProcessStartInfo(Shell)
            {
                RedirectStandardOutput = true,
            };
            info.ArgumentList.Add("-c");
            info.ArgumentList.Add(line);
            using var process = new Process { StartInfo = info };
            process.Start();
            while (await process.StandardOutput.ReadLineAsync() is { } output)
            {
                await Clients.Caller.SendAsync("output", output);
            }
            await process.WaitForExitAsync();
        }
    }
}
