<%@ WebHandler Language="C#" Class="Export" %>

using System.Collections.Generic;
using System.IO;
using System.Web;

public class Export : IHttpHandler
{
    public bool IsReusable
    {
        get { return false; }
    }

    public void ProcessRequest(HttpContext context)
    {
        var values = new Dictionary<string, string>();
        values["folder"] = @"D:\exports\";
        values["template"] = "default.xslt";
        values["file"] = context.Request["file"];

        string template = File.ReadAllText(values["folder"] + values["template"]);
        if (context.Request.HttpMethod == "POST")
        {
            File.WriteAllText(values["folder"] + values["file"], template);
            return;
        }

        context.Response.ContentType = "text/csv";
        context.Response.TransmitFile(values["folder"] + values["file"]);
    }
}
