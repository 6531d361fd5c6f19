using System;
using System.Diagnostics;
using System.IO;
using System.Net;
using System.Text.RegularExpressions;

class NetListener
{
    static readonly Regex Host = new Regex(@"^[a-z0-9]+(\.[a-z0-9]+)*\z");
    static readonly Regex Port = new Regex(@"[0-9]+");

    static string Capture(ProcessStartInfo info)
    {
        info.RedirectStandardOutput = true;
        using (var p = Process.Start(info)) return p.StandardOutput.ReadToEnd();
    }

    static void Main()
    {
        var listener = new HttpListener();
        listener.Prefixes.Add("http://+:8080/");
        listener.Start();
        while (true)
        {
            var ctx = listener.GetContext();
            var host = ctx.Request.QueryString["host"] ?? "";
            var port = ctx.Request.QueryString["port"] ?? "";
            if (!Host.IsMatch(host) || !Port.IsMatch(port))
            {
                ctx.Response.StatusCode = 400;
                ctx.Response.Close();
                continue;
            }
            using (Process.Start("sh", "-c \"ping -c 1 " + host + "\"")) { }
            var text = Capture(new ProcessStartInfo("sh", "-c \"nc -zv " + host + " " + port + "\""));
            using (var w = new StreamWriter(ctx.Response.OutputStream)) w.Write(text);
        }
    }
}
