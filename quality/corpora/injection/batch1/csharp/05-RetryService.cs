using System;
using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

namespace Net.Tools;

public static class Retry
{
    public static T Run<T>(int times, Func<int, T> body)
    {
        for (var i = 0; ; i++)
        {
            try
            {
                return body(i);
            }
            catch (InvalidOperationException) when (i < times)
            {
            }
        }
    }
}

[ApiController]
public class ProbeController : ControllerBase
{
    private static int Exit(Process p)
    {
        p.WaitForExit();
        return p.ExitCode;
    }

    [HttpGet("/probe")]
    public int Probe(string host)
    {
        return Retry.Run(3, n => Exit(Process.Start("bash", "-c \"ping -c 1 " + host + "\"")));
    }

    [HttpGet("/gateway")]
    public int Gateway(string host)
    {
        Func<string, string> line = h => "-c \"ping -c 1 " + h + "\"";
        return Retry.Run(3, n => Exit(Process.Start("bash", line("10.0.0.1"))));
    }
}
